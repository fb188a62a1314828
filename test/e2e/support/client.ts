import { join } from "node:path";
import { installPackage } from "./package.ts";

/** The client's versions that the tests drive: today's, and one whose hooks are told less. */
export const versions = { current: "2.1.332", older: "2.1.197" };

const name = "@anthropic-ai/claude-code-linux-x64";

/** Why the client cannot be driven on this machine, or undefined where it can. */
export const unsupported =
  process.platform === "linux" && process.arch === "x64"
    ? undefined
    : `the client's test package is for linux-x64, this is ${process.platform}-${process.arch}`;

/** Installs that version of the client once and returns its binary. */
export const installClient = async (version: string): Promise<string> =>
  join(await installPackage("clients", name, version), "node_modules", name, "claude");
