import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Call, run } from "./measure.ts";

/** How many system calls a process makes, its threads' included; `undefined` where there is no strace. */
export async function countSyscalls(call: Call, folder: string): Promise<number | undefined> {
  const strace = Bun.which("strace");
  if (!strace) return undefined;
  const table = join(folder, "syscalls");
  await run({ ...call, command: [strace, "-f", "-c", "-U", "calls,name", "-o", table, ...call.command] });
  const total = /^\s*(\d+)\s+total$/m.exec(await Bun.file(table).text())?.[1];
  rmSync(table);
  return total === undefined ? undefined : Number(total);
}
