/** What a run of the client came to, read from what it printed. */
export type RunAnswer = {
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
} & (
  | { kind: "lines"; lines: ReadonlyMap<number, unknown> }
  /** `auth` and `limit` are the account's, `unreachable` the way there, `failed` everything else. */
  | { kind: "auth" | "limit" | "unreachable" | "failed"; message: string }
  /** The client does not know this option. */
  | { kind: "option"; option: string }
);

const nothing = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
const longestMessage = 300;

/**
 * Reads what `claude -p --output-format json` printed.
 * @param code its exit code; `undefined` where it was killed because time was up
 */
export function readAnswer(code: number | undefined, stdout: string, stderr: string): RunAnswer {
  if (code === undefined) return { ...nothing, kind: "failed", message: "no answer in time" };
  const option = /unknown option '?(--[\w-]+)/.exec(stderr)?.[1];
  if (option !== undefined) return { ...nothing, kind: "option", option };
  const result = parseObject(stdout);
  if (!result) return { ...nothing, ...classify(`${stderr}\n${stdout}`, undefined, code) };
  const spent = spentOf(result);
  const text = typeof result.result === "string" ? result.result : "";
  if (result.is_error === true || code !== 0) {
    return { ...spent, ...classify(`${text}\n${stderr}`, result, code) };
  }
  const lines = linesOf(result.structured_output) ?? linesOf(parseObject(text));
  return lines ? { ...spent, kind: "lines", lines } : { ...spent, kind: "failed", message: "the answer has no lines" };
}

function classify(
  text: string,
  result: Record<string, unknown> | undefined,
  code: number,
): { kind: "auth" | "limit" | "unreachable" | "failed"; message: string } {
  const told = text.replace(/\s+/g, " ").trim().slice(0, longestMessage);
  const message = told || `exit code ${code}`;
  const status = Number(result?.api_error_status ?? /API Error: (\d{3})/.exec(text)?.[1] ?? 0);
  if (
    status === 401 ||
    status === 403 ||
    /not logged in|please run \/login|invalid api key|authentication|oauth token|credit balance/i.test(text)
  ) {
    return { kind: "auth", message };
  }
  if (status === 429 || /usage limit|rate.?limit|limit reached|quota|hit your .{0,20}limit/i.test(text))
    return { kind: "limit", message };
  if (
    status >= 500 ||
    result?.api_error === "connection_failed" ||
    /ECONNREFUSED|ENOTFOUND|ETIMEDOUT|connection error|overloaded/i.test(text)
  ) {
    return { kind: "unreachable", message };
  }
  return { kind: "failed", message };
}

function spentOf(result: Record<string, unknown>): typeof nothing {
  const usage = isObject(result.usage) ? result.usage : {};
  const inputs = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
  return {
    inputTokens: inputs.reduce<number>((sum, tokens) => sum + numberOf(tokens), 0),
    outputTokens: numberOf(usage.output_tokens),
    costUsd: numberOf(result.total_cost_usd),
  };
}

function linesOf(value: unknown): Map<number, unknown> | undefined {
  if (!isObject(value) || !Array.isArray(value.lines)) return undefined;
  const items = value.lines.filter(isObject).filter(({ n }) => Number.isInteger(n));
  return new Map(items.map(({ n, line }) => [n as number, line]));
}

/** The first to the last brace of a text as an object, whatever a client prints around it. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const numberOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
