import type { Detail } from "../types.ts";

/** A tool's call: what it was given and what came of it. Either may be missing where a transcript was cut. */
export interface Call {
  tool: string;
  /** UTC milliseconds. */
  at: number;
  input?: string;
  output?: string;
}

/** The calls of a turn's tool traffic in their order; outputs without an input last. */
export function pairCalls(details: readonly Detail[]): Call[] {
  const outputs = new Map(
    details.filter((detail) => detail.kind === "tool_output").map((detail) => [detail.sourceId, detail]),
  );
  const paired = details
    .filter((detail) => detail.kind === "tool_input")
    .map(({ sourceId, tool = "tool", at, input = "" }) => {
      const output = outputs.get(`${sourceId}:result`);
      outputs.delete(`${sourceId}:result`);
      return { tool, at, input, ...(output && { output: output.output ?? "" }) };
    });
  const alone = [...outputs.values()].map(({ tool = "tool", at, output = "" }) => ({ tool, at, output }));
  return [...paired, ...alone];
}

/** The fields of a call's input as texts; none where it is no JSON object. */
export function fieldsOf(input: string): [name: string, value: string][] | undefined {
  if (!input.startsWith("{")) return undefined;
  try {
    const fields = Object.entries(JSON.parse(input) as Record<string, unknown>);
    return fields.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
