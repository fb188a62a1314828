import { createInterface } from "node:readline/promises";
import { printable } from "../output.ts";
import { UsageError } from "./usage.ts";

/**
 * Whether the person agrees; `yes` is an answer given beforehand.
 * @throws UsageError where there is no terminal to ask on
 */
export async function agrees(question: string, yes: boolean): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError("there is no terminal to ask on, so nothing was changed: --yes says yes beforehand");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^\s*(y|yes|はい)?\s*$/i.test(await terminal.question(`${printable(question)} [Y/n] `));
  } finally {
    terminal.close();
  }
}
