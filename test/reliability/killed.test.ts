import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { seeded } from "../fixtures/random.ts";
import { cannotTrace } from "../hostile/traced.ts";
import { type Scene, setScene } from "./scene.ts";

/** What runs, on a home in which nothing is stored yet or on one that knows the session. */
const runs: readonly [string, string[], boolean][] = [
  ["the first Stop of a home", ["hook", "stop"], false],
  ["a Stop that stores three turns", ["hook", "stop"], true],
  ["a SessionEnd", ["hook", "session-end"], true],
  ["a start", ["hook", "session-start", "--part", "1"], true],
  ["an import", ["import", "--yes"], false],
];
const turns = 3;
const writes = "pwrite64,ftruncate,fsync,fdatasync,unlink,rename,link,linkat,unlinkat,renameat2,mkdir,chmod,fchmodat";

async function expected(args: readonly string[]): Promise<string> {
  using scene = setScene(turns);
  await scene.run(args);
  await scene.run(["hook", "stop"]);
  return scene.stored();
}

async function ready(isKnown: boolean): Promise<Scene> {
  const scene = setScene(turns);
  if (isKnown) await scene.run(["hook", "session-start", "--part", "1"]);
  return scene;
}

/** The next event, and an import where hooks never heard of the session: afterwards all is as if nothing had happened. */
async function heal(scene: Scene): Promise<void> {
  const next = await scene.run(["hook", "stop"]);
  expect([next.code, next.stderr]).toEqual([0, ""]);
}

const rounds = Number(process.env.KILLS ?? 60);

/** Each write when it is asked for with `KILLS`, each third one in every run of the tests: an import has a hundred. */
const every = process.env.KILLS === undefined ? 3 : 1;

describe.skipIf(cannotTrace !== undefined)(
  `killed at ${every === 1 ? "every" : "every third"} write (${cannotTrace ?? "under strace"})`,
  () => {
    test.each(runs)(
      "%s",
      async (_, args, isKnown) => {
        const whole = await expected(args);
        for (let when = 1; ; when += every) {
          using scene = await ready(isKnown);
          const log = join(scene.home.folder, "log");
          const kill = [
            "strace",
            "-f",
            "-qq",
            "-o",
            log,
            "-e",
            `trace=${writes}`,
            "-e",
            `inject=${writes}:signal=KILL:when=${when}`,
          ];
          const { code, signal } = await scene.run(args, kill);
          rmSync(log, { force: true });
          await heal(scene);
          expect([when, scene.stored()]).toEqual([when, whole]);
          if (code === 0 && signal === null) break;
          if (when > 400) throw new Error("it never gets through");
        }
      },
      180_000,
    );
  },
);

test(
  `killed at random, ${rounds} times: nothing stored is lost, nothing half stored is seen, the next event heals`,
  async () => {
    const random = seeded(Number(process.env.KILLS_SEED ?? 1));
    const whole = await expected(["hook", "stop"]);
    for (let round = 0; round < rounds; round += 1) {
      const [, args, isKnown] = random.pick(runs);
      using scene = await ready(isKnown);
      const child = scene.start(args);
      await Bun.sleep(random.int(0, 30));
      child.kill("SIGKILL");
      await child.exited;
      await heal(scene);
      expect([round, args, scene.stored()]).toEqual([round, args, whole]);
    }
  },
  Math.max(60_000, rounds * 1_000),
);
