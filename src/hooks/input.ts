/** The fields that every event has. */
interface BaseInput {
  session_id: string;
  hook_event_name: string;
  transcript_path?: string | null;
  cwd?: string | null;
  source?: string | null;
}

export type SessionStartInput = BaseInput;

export interface StopInput extends BaseInput {
  last_assistant_message?: string | null;
  prompt_id?: string | null;
}

export interface SessionEndInput extends BaseInput {
  reason?: string | null;
}

export interface PermissionRequestInput extends BaseInput {
  tool_name?: string | null;
  /** Whatever the tool takes. */
  tool_input?: { command?: unknown } | null;
}

/** What a hook is sent: the events it is for, and the fields that are a text where they are there. */
export interface Shape<Input extends BaseInput> {
  events: readonly string[];
  texts: readonly (keyof Input & string)[];
}

const common = ["transcript_path", "cwd", "source"] as const;

// By hand: a schema library takes a third of a hook's own time to load and to build what these four lines say.
export const shapes = {
  sessionStart: { events: ["SessionStart"], texts: [...common] } as Shape<SessionStartInput>,
  stop: {
    events: ["Stop", "SubagentStop"],
    texts: [...common, "last_assistant_message", "prompt_id"],
  } as Shape<StopInput>,
  sessionEnd: { events: ["SessionEnd"], texts: [...common, "reason"] } as Shape<SessionEndInput>,
  permissionRequest: {
    events: ["PermissionRequest"],
    texts: [...common, "tool_name"],
  } as Shape<PermissionRequestInput>,
};

/**
 * What the client wrote on stdin. Empty input or another event is `undefined`, nothing to do.
 * @throws when it is no JSON object or a field that is needed is missing or of a wrong type
 */
export function parseInput<Input extends BaseInput>(shape: Shape<Input>, stdin: string): Input | undefined {
  if (stdin.trim() === "") return undefined;
  const value = parseJson(stdin);
  const refuse = (field: string, what: string): never => {
    throw new Error(`the hook's input has no usable ${field}: ${what}`);
  };
  if (typeof value.session_id !== "string" || value.session_id === "") refuse("session_id", "a text is needed");
  if (typeof value.hook_event_name !== "string") refuse("hook_event_name", "a text is needed");
  if (!shape.events.includes(value.hook_event_name as string)) return undefined;
  for (const field of shape.texts) {
    if (value[field] != null && typeof value[field] !== "string") refuse(field, "it is no text");
  }
  return value as unknown as Input;
}

function parseJson(stdin: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(stdin);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new Error(`the hook's input is no JSON: ${(error as Error).message}`);
  }
  throw new Error("the hook's input is no JSON object");
}
