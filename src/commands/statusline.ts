import { defineCommand } from "citty";
import type { Env } from "../env.ts";
import { loadLibc } from "../libc.ts";
import { statusline } from "../statusline/statusline.ts";
import { readStdin } from "../stdin.ts";

/** `throughline statusline`: for Claude Code's `statusLine` setting, which calls it without citty (`main.ts`). */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "statusline",
      description:
        "Print a status line for Claude Code: the context in use, and what /clear keeps (install --statusline sets it)",
    },
    run: async () => statusline(env, await readStdin(loadLibc())),
  });
