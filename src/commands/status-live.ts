import type { Database } from "bun:sqlite";
import { emitKeypressEvents } from "node:readline";
import ansiEscapes from "ansi-escapes";
import { createLogUpdate } from "log-update";
import type { Env } from "../env.ts";
import { type LiveRow, readLive } from "../live/rows.ts";
import { liveTable } from "../live/table.ts";
import { printable, printJson, printText } from "../output.ts";
import { databaseFile } from "../paths.ts";
import { openStoreReadonly } from "../store/open.ts";
import { UsageError } from "./usage.ts";

const pollEvery = 1_000;
/** Where nothing says how wide it is, as in a pipe. */
const usualWidth = 120;

/**
 * `throughline status --all`: the live sessions of every project; with `--watch` refreshed in place until `q` or Ctrl-C.
 * @throws UsageError where there is no terminal to watch on
 */
export async function showLive(env: Env, { json, watch }: { json: boolean; watch: boolean }): Promise<void> {
  if (watch && (json || !process.stdout.isTTY))
    throw new UsageError("--watch needs a terminal: leave it out, and call again for another look");
  if (json) return await printJson(look(env));
  if (watch) return await watchLive(env);
  await printText(`${textOf(look(env), process.stdout.columns ?? usualWidth)}\n`);
}

// Opened for each look: nothing of ours stands in the way of a checkpoint or of a store that is put in its place.
function look(env: Env): LiveRow[] {
  using db: Database | undefined = openStoreReadonly(databaseFile(env));
  return readLive(db, env);
}

/** The names are the person's folders': without what a terminal would act on before they are measured. */
const textOf = (rows: readonly LiveRow[], width: number): string =>
  liveTable(
    rows.map((row) => ({ ...row, project: printable(row.project).replace(/[\t\n]/g, " ") })),
    width,
  );

async function watchLive(env: Env): Promise<void> {
  const draw = createLogUpdate(process.stdout, { showCursor: false });
  const show = () => draw(`${textOf(look(env), process.stdout.columns ?? usualWidth)}\n\nq ends`);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  // A terminal that changes its width breaks the lines that stand there anew: how many they are now nobody knows.
  const onResize = () => {
    draw.clear();
    process.stdout.write(ansiEscapes.clearViewport);
    show();
  };
  const onKey = (_: string, key: { name?: string; ctrl?: boolean }) => {
    if (key.name === "q" || key.name === "escape" || (key.ctrl && key.name === "c")) end();
  };
  const { stdin } = process;
  if (stdin.isTTY) {
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.on("keypress", onKey).resume();
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
  process.stdout.on("resize", onResize);
  const timer = setInterval(show, pollEvery);
  try {
    show();
    await ended;
  } finally {
    clearInterval(timer);
    process.stdout.off("resize", onResize);
    draw.done();
    if (stdin.isTTY) stdin.setRawMode(false);
    stdin.off("keypress", onKey).pause();
  }
}
