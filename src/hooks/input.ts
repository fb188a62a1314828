import * as z from "zod/mini";

const base = () => ({
  session_id: z.string().check(z.minLength(1)),
  transcript_path: z.optional(z.nullable(z.string())),
  cwd: z.optional(z.string()),
});

/** What each hook is sent. Functions, because building all of them takes longer than reading the event. */
export const schemas = {
  sessionStart: () =>
    z.looseObject({ ...base(), hook_event_name: z.literal("SessionStart"), source: z.optional(z.string()) }),
  stop: () =>
    z.looseObject({
      ...base(),
      hook_event_name: z.enum(["Stop", "SubagentStop"]),
      last_assistant_message: z.optional(z.nullable(z.string())),
      prompt_id: z.optional(z.nullable(z.string())),
    }),
  sessionEnd: () =>
    z.looseObject({ ...base(), hook_event_name: z.literal("SessionEnd"), reason: z.optional(z.string()) }),
  permissionRequest: () =>
    z.looseObject({
      ...base(),
      hook_event_name: z.literal("PermissionRequest"),
      tool_name: z.optional(z.string()),
      tool_input: z.optional(z.looseObject({ command: z.optional(z.string()) })),
    }),
};

export type SessionStartInput = z.infer<ReturnType<typeof schemas.sessionStart>>;
export type StopInput = z.infer<ReturnType<typeof schemas.stop>>;
export type SessionEndInput = z.infer<ReturnType<typeof schemas.sessionEnd>>;
export type PermissionRequestInput = z.infer<ReturnType<typeof schemas.permissionRequest>>;

/**
 * What the client wrote on stdin. Empty input or another event is `undefined`, nothing to do.
 * @throws when it is no JSON object or a field that is needed is missing or of a wrong type
 */
export function parseInput<Schema extends z.ZodMiniType>(
  schema: () => Schema,
  stdin: string,
): z.infer<Schema> | undefined {
  if (stdin.trim() === "") return undefined;
  const value = parseJson(stdin);
  const result = z.safeParse(schema(), value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join(".") || "input";
  if (field === "hook_event_name" && typeof (value as Record<string, unknown>).hook_event_name === "string")
    return undefined;
  throw new Error(`the hook's input has no usable ${field}: ${issue?.message ?? "invalid"}`);
}

function parseJson(stdin: string): unknown {
  try {
    const value: unknown = JSON.parse(stdin);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new Error(`the hook's input is no JSON: ${(error as Error).message}`);
  }
  throw new Error("the hook's input is no JSON object");
}
