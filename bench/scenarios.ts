import { Database } from "bun:sqlite";
import { appendFileSync, closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { withCommas } from "../src/context/numbers.ts";
import { beginning } from "../src/store/notices.ts";
import { forgetSession, storeChain } from "./chain.ts";
import { type Call, type Run, run, runTogether } from "./measure.ts";
import { flush, remember, type Stage, setStage } from "./stage.ts";
import { converse, type TurnSize } from "./transcript.ts";

/** One thing to measure. */
export interface Scenario {
  name: string;
  /** The most it may take, as a multiple of an empty program. */
  target: number;
  /** Bytes of the transcript that is read already. */
  size: number;
  /** The most runs that are worth their time. */
  runs: number;
  /** Makes the state that the measured processes find; disposed of after the last run. */
  prepare: (binary: string) => Promise<Prepared>;
}

/** A scenario that is ready to be run, again and again. */
export interface Prepared {
  stage: Stage;
  /** Brings back the state that the measured processes find. */
  restore: () => void;
  calls: Call[];
  /** Throws when the run did not do what is to be measured. */
  verify: (run: Run) => void;
}

const session = "00000000-0000-4000-8000-000000000001";
const nextSession = "00000000-0000-4000-8000-000000000002";
const megabyte = 1_000_000;
const hour = 3_600_000;
const small: TurnSize = { prompt: 200, answer: 700, tools: 600, file: 5_000 };
const large: TurnSize = { prompt: 900, answer: 2_500, tools: 50_000, file: 240_000 };
const parts = 8;

/** All scenarios, in the order in which they are reported; transcripts of 1 GB and a million turns only when asked for. */
export const scenarios = (withLarge: boolean): Scenario[] => [
  ...(
    [
      ["10 MB", 10 * megabyte],
      ["100 MB", 100 * megabyte],
      ...(withLarge
        ? ([
            ["1 GB", 1_000 * megabyte],
            ["2 GB", 2_000 * megabyte],
          ] as const)
        : []),
    ] as const
  ).flatMap(([name, size]) => [
    stopScenario(`stop, turn of 5 KB, transcript of ${name}`, 2.5, small, size),
    stopScenario(`stop, turn of 240 KB, transcript of ${name}`, 3.5, large, size),
  ]),
  waitingScenario("stop, turn of 5 KB, 520 turns, 500 with a line", "made"),
  waitingScenario("stop, turn of 5 KB, 520 turns, 500 waiting, a worker at work", "at work"),
  waitingScenario("stop, turn of 5 KB, 520 turns, 500 waiting, starts the worker", "waiting"),
  ...(
    [
      ["25 turns of 2,000 characters", 25, { prompt: 300, answer: 1_700, tools: 3_000, file: 20_000 }],
      ["20 turns of 3,500 characters", 20, { prompt: 400, answer: 3_100, tools: 3_000, file: 20_000 }],
    ] as const
  ).flatMap(([name, turns, size]) => [
    startScenario(`session-start, part 1, ${name}`, 3, turns, size, 1),
    startScenario(`session-start, all eight, ${name}`, 20, turns, size, parts),
  ]),
  ...[10_000, 100_000, ...(withLarge ? [1_000_000] : [])].flatMap((turns) =>
    [1, 5_000].flatMap((sessions) => [
      chainScenario(
        `session-start, part 1, ${withCommas(turns)} turns in a chain of ${sessions}`,
        3,
        turns,
        sessions,
        1,
      ),
      chainScenario(
        `session-start, all eight, ${withCommas(turns)} turns in a chain of ${sessions}`,
        20,
        turns,
        sessions,
        parts,
      ),
    ]),
  ),
  ...[10_000, 100_000].map((turns) =>
    statuslineScenario(`statusline, ${withCommas(turns)} turns in a chain of 5,000`, turns),
  ),
  ...[10_000, 100_000, ...(withLarge ? [1_000_000] : [])].map((turns) =>
    storedScenario(`stop, turn of 5 KB, ${withCommas(turns)} turns stored`, turns),
  ),
];

/** A turn is appended to a transcript that was read up to there. */
function stopScenario(name: string, target: number, turn: TurnSize, size: number): Scenario {
  return {
    name,
    target,
    size,
    runs: size > 100 * megabyte ? 5 : 40,
    async prepare(binary) {
      const stage = setStage(binary);
      const call = stage.hook(["stop"], session, { hook_event_name: "Stop", permission_mode: "default" });
      const conversation = writeTranscript(stage, large, (bytes) => bytes < size);
      await run(call);
      return appendTurn(name, stage, call, () => conversation.turn(turn));
    },
  };
}

/** What is stored by now is the state; each measured Stop finds one more turn in the transcript. */
async function appendTurn(name: string, stage: Stage, call: Call, next: () => string): Promise<Prepared> {
  const transcript = stage.transcript(session);
  appendFileSync(transcript, next());
  await run(call); // the WAL is as the Stop before leaves it; the first reading folded its own in
  const turn = next();
  const before = stage.countTurns();
  const rewind = remember(stage, transcript);
  const restore = () => {
    rewind();
    appendFileSync(transcript, turn);
    flush(transcript);
  };
  const verify = () => {
    if (stage.countTurns() !== before + 1) throw new Error(`${name}: the turn was not stored`);
  };
  return { stage, calls: [call], restore, verify };
}

type Lines = "made" | "at work" | "waiting";

/** A turn is appended to a session of 520, of which 500 have a line or wait for one. */
function waitingScenario(name: string, lines: Lines): Scenario {
  const scenario = stopScenario(name, 2.5, small, 519 * small.file);
  return {
    ...scenario,
    async prepare(binary) {
      const stage = setStage(binary);
      mkdirSync(stage.data, { recursive: true });
      const config = join(stage.data, "config.json");
      writeFileSync(config, JSON.stringify({ summaries: "off" }));
      const call = stage.hook(["stop"], session, { hook_event_name: "Stop", permission_mode: "default" });
      const conversation = writeTranscript(stage, small, (_, written) => written < 520);
      await run(call);
      rmSync(config);
      setLines(stage, lines);
      return appendTurn(name, stage, call, () => conversation.turn(small));
    },
  };
}

function setLines({ data }: Stage, lines: Lines): void {
  using db = new Database(join(data, "memory.db"));
  if (lines === "made") db.run("insert into summaries select id, 'a line', 'a model', started_at from turns");
  if (lines === "at work") {
    const sql = "update worker set holder = 'benchmark', pid = ?, deadline = ?";
    db.query(sql).run(process.pid, Date.now() + hour);
  }
}

// As everywhere but at the first start of all: the person was told that lines will be made.
function noteTold({ data }: Stage): void {
  using db = new Database(join(data, "memory.db"));
  db.query("insert into notices (name, told_at) values (?, ?)").run(beginning, Date.now());
}

/** A session is cleared, the next one starts: `count` of the eight parts at once. */
function startScenario(name: string, target: number, turns: number, size: TurnSize, count: number): Scenario {
  return {
    name,
    target,
    size: turns * size.file,
    runs: 40,
    async prepare(binary) {
      const stage = setStage(binary);
      writeTranscript(stage, size, (_, written) => written < turns);
      await run(stage.hook(["stop"], session, { hook_event_name: "Stop" }));
      await run(stage.hook(["session-end"], session, { hook_event_name: "SessionEnd", reason: "clear" }));
      noteTold(stage);
      const restore = remember(stage, stage.transcript(session));
      const verify = ({ stdout }: Run) => {
        if (!stdout.includes("additionalContext")) throw new Error(`${name}: nothing was restored`);
      };
      return { stage, calls: starts(stage, count), restore, verify };
    },
  };
}

/** The newest session of a chain of `sessions` is cleared, the next one starts. */
function chainScenario(name: string, target: number, turns: number, sessions: number, count: number): Scenario {
  return {
    name,
    target,
    size: 0,
    runs: 40,
    async prepare(binary) {
      const stage = setStage(binary);
      storeChain(stage, sessions, turns, session, Date.now() - 48 * hour);
      writeTranscript(stage, { prompt: 300, answer: 1_700, tools: 3_000, file: 20_000 }, (_, written) => written < 20);
      await run(stage.hook(["stop"], session, { hook_event_name: "Stop" }));
      await run(stage.hook(["session-end"], session, { hook_event_name: "SessionEnd", reason: "clear" }));
      noteTold(stage);
      const restore = () => forgetSession(stage, nextSession);
      const verify = ({ stdout }: Run) => {
        if (!stdout.includes("additionalContext")) throw new Error(`${name}: nothing was restored`);
      };
      return { stage, calls: starts(stage, count), restore, verify };
    },
  };
}

/** The client asks for its status line in the newest session of a chain. */
function statuslineScenario(name: string, turns: number): Scenario {
  return {
    name,
    target: 2.5,
    size: 0,
    runs: 40,
    async prepare(binary) {
      const stage = setStage(binary);
      storeChain(stage, 5_000, turns, session, Date.now() - 48 * hour);
      writeTranscript(stage, { prompt: 300, answer: 1_700, tools: 3_000, file: 20_000 }, (_, written) => written < 30);
      await run(stage.hook(["stop"], session, { hook_event_name: "Stop" }));
      noteTold(stage);
      const told = {
        session_id: session,
        context_window: { total_input_tokens: 142_000, context_window_size: 200_000 },
      };
      const call = { ...stage.call([binary, "statusline"]), stdin: JSON.stringify(told) };
      const verify = ({ stdout }: Run) => {
        if (!stdout.includes("/clear keeps")) throw new Error(`${name}: it says ${stdout}`);
      };
      return { stage, calls: [call], restore: () => {}, verify };
    },
  };
}

/** A turn is appended to a short session of a store that holds many. */
function storedScenario(name: string, turns: number): Scenario {
  return {
    ...stopScenario(name, 2.5, small, megabyte),
    async prepare(binary) {
      const stage = setStage(binary);
      storeChain(stage, 500, turns, nextSession, Date.now() - 48 * hour);
      const call = stage.hook(["stop"], session, { hook_event_name: "Stop", permission_mode: "default" });
      const conversation = writeTranscript(stage, small, (bytes) => bytes < megabyte);
      await run(call);
      return appendTurn(name, stage, call, () => conversation.turn(small));
    },
  };
}

/** The calls of the first `count` parts of the next session's start. */
const starts = (stage: Stage, count: number): Call[] =>
  Array.from({ length: count }, (_, n) =>
    stage.hook(["session-start", "--part", `${n + 1}`], nextSession, {
      hook_event_name: "SessionStart",
      source: "clear",
    }),
  );

/** Writes the session's transcript, as many turns as wanted, and returns the conversation to go on with. */
function writeTranscript(stage: Stage, size: TurnSize, more: (bytes: number, turns: number) => boolean) {
  const conversation = converse(1, session, stage.project, Date.now() - 48 * hour);
  const file = stage.transcript(session);
  const fd = openSync(file, "w");
  writeSync(fd, conversation.opening());
  for (let turns = 0; more(statSync(file).size, turns); turns++) writeSync(fd, conversation.turn(size));
  closeSync(fd);
  return conversation;
}

/** Runs a prepared scenario's processes once: one alone, or all at once. */
export const runOnce = ({ calls }: Prepared): Promise<Run> =>
  calls.length === 1 ? run(calls[0] as Call) : runTogether(calls);
