// Run as a program of its own: starts the process described on stdin and prints its peak memory in bytes. A process
// begins with the peak of the one that started it, so that one has to be small.
import type { Call } from "./measure.ts";

/** The peak memory of a process in bytes. */
export async function measurePeak(call: Call): Promise<number> {
  const measurer = Bun.spawn([process.execPath, import.meta.path], {
    stdin: new Blob([JSON.stringify(call)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const peak = Number(await new Response(measurer.stdout).text());
  if ((await measurer.exited) !== 0 || !(peak > 0)) throw new Error(`no peak memory for ${call.command.join(" ")}`);
  return peak;
}

if (import.meta.main) {
  const { command, cwd, env, stdin }: Call = await Bun.stdin.json();
  const child = Bun.spawn(command, { cwd, env, stdin: new Blob([stdin]), stdout: "ignore", stderr: "inherit" });
  const code = await child.exited;
  await Bun.write(Bun.stdout, `${child.resourceUsage()?.maxRSS ?? 0}`);
  process.exitCode = code;
}
