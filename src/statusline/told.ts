/** What the client tells a status line, as far as ours needs it. Absent is what it did not say, or not as a number or a text. */
export interface Told {
  sessionId: string | undefined;
  projectFolder: string | undefined;
  /** What is in the context now, and what fits. */
  tokens: number | undefined;
  window: number | undefined;
}

/**
 * Reads the client's JSON, measured with 2.1.197 and 2.1.332. Whatever else it is tells nothing.
 * @returns `undefined` where it is no JSON object
 */
export function parseTold(text: string): Told | undefined {
  const whole = parse(text);
  if (!whole) return undefined;
  const context = asFields(whole.context_window);
  return {
    sessionId: asText(whole.session_id),
    projectFolder: asText(asFields(whole.workspace).project_dir) ?? asText(whole.cwd),
    tokens: asCount(context.total_input_tokens),
    window: asCount(context.context_window_size),
  };
}

type Fields = Record<string, unknown>;

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const asFields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const asText = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const asCount = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 && value < 1e12 ? value : undefined;
