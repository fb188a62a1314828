import type { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseFile } from "../../src/paths.ts";
import { openStore } from "../../src/store/open.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { callHooks, type Event } from "./calls.ts";
import { expectKept, expectTold } from "./checks.ts";
import type { Fate, Step } from "./history.ts";
import { type Client, hasTurn, type Kind, pastOf, type Session, type Stay, type World } from "./model.ts";
import { Post } from "./post.ts";
import { copyTurns, startOver, writeAnswer, writePrompt } from "./transcript.ts";

const minute = 60_000;

/** Made once: that takes longer than playing most histories. */
const empty = openStore(":memory:").serialize();

/**
 * Plays a history against the real hooks, one event after the other, and holds what each start tells and what is stored
 * at the end against what is true.
 * @throws at the first difference
 */
export async function play(steps: readonly Step[]): Promise<void> {
  using home = tempHome();
  startOver();
  for (const name of ["other", ".throughline"]) mkdirSync(join(home.folder, name));
  writeFileSync(databaseFile(home.env()), empty);
  using db = openStore(databaseFile(home.env()));
  db.run("pragma journal_mode = wal");
  const player = new Player(home, db);
  for (const step of steps) await player.step(step);
  await player.finish();
}

class Player {
  readonly world: World = { sessions: [], clients: [] };
  readonly #home: TempHome;
  readonly #db: Database;
  readonly #post = new Post((event) => this.#arrive(event));
  #clock = Date.UTC(2026, 10, 30, 14, 0, 0);
  #events = 0;
  readonly #pending = new Map<Session, () => void>();

  constructor(home: TempHome, db: Database) {
    this.#home = home;
    this.#db = db;
  }

  async step(step: Step): Promise<void> {
    this.#pass(30_000);
    if (step.do === "wait") return this.#pass(step.minutes * minute);
    if (step.do === "open") return this.#begin(this.#open(step.kind, step.project), "startup", step.start, step.ghost);
    if (step.do === "program") return this.#program(step.project);
    if (step.do === "reopen" || step.do === "fork") return this.#fromSession(step);
    const running = this.world.clients.filter(({ runs }) => runs);
    const client = running[step.window % running.length];
    const stay = client?.stay;
    if (!client || !stay) return;
    switch (step.do) {
      case "prompt":
        return this.#prompt(stay, step.stop, undefined, step);
      case "rewind": {
        const live = stay.session.turns.filter(({ left }) => left === null);
        return this.#prompt(stay, step.stop, live[step.turn % live.length]);
      }
      case "clear":
        return this.#clear(client, stay, step);
      case "resume":
        return this.#resume(client, stay, step);
      case "exit":
        // The client waits for it.
        await this.#post.send({ kind: "end", stay, reason: "prompt_input_exit" }, step.end === 1 ? "ok" : step.end);
        return this.#gone(client);
      case "kill":
        return this.#gone(client);
    }
  }

  /** Whatever is on its way arrives, all windows are gone, and somebody works on: by then everything is stored. */
  async finish(): Promise<void> {
    await this.#post.flush(() => true);
    for (const session of this.world.sessions) this.#writePending(session);
    for (const client of this.world.clients) await this.#gone(client);
    this.#pass(60 * minute);
    const last = this.#open("terminal", 0);
    await this.#begin(last, "startup", "ok", "none");
    for (let n = -6; n < this.world.sessions.length; n += 3) await this.#prompt(last.stay as Stay, "ok");
    expectKept(this.#db, this.world);
  }

  #pass(milliseconds: number): void {
    this.#clock += milliseconds;
  }

  #open(kind: Kind, project: number): Client {
    const gone = this.world.clients.find(
      ({ runs, pid }) => !runs && !this.world.clients.some((c) => c.runs && c.pid === pid),
    );
    const n = this.world.clients.length;
    const pid = n % 2 === 1 && gone ? gone.pid : 1_000 + n;
    const client: Client = { pid, name: `${pid}:boot:${n}`, kind, project, runs: true, stays: [], stay: undefined };
    this.world.clients.push(client);
    return client;
  }

  // Its hooks end before another process gets its pid.
  async #gone(client: Client): Promise<void> {
    client.runs = false;
    await this.#post.flush(({ stay }) => stay.client === client);
  }

  #session(client: Client): Session {
    const id = `session-${this.world.sessions.length + 1}`;
    const file = join(this.#home.folder, `${id}.jsonl`);
    const { kind, project } = client;
    const session: Session = {
      id,
      project,
      kind,
      file,
      entries: [],
      turns: [],
      startedAt: null,
      heardAt: 0,
      link: null,
    };
    this.world.sessions.push(session);
    return session;
  }

  #turnTo(client: Client, session: Session, ghost = false): Stay {
    const stay: Stay = { session, client, before: client.stay, ghost, heard: new Set(), lastHeard: 0 };
    client.stays.push(stay);
    return stay;
  }

  /** A new session in a client process, with a ghost of it before or after it. */
  async #begin(client: Client, source: string, fate: Fate, ghost: "none" | "before" | "after"): Promise<void> {
    const start = async (isGhost: boolean) => {
      const stay = this.#turnTo(client, this.#session(client), isGhost);
      await this.#post.send({ kind: "start", stay, source }, isGhost ? "ok" : fate);
      this.#pass(300);
      return stay;
    };
    if (ghost === "before") await start(true);
    const real = await start(false);
    if (ghost === "after") await start(true);
    client.stay = real;
  }

  async #prompt(
    stay: Stay,
    fate: Fate,
    backTo?: Session["turns"][number],
    how = { interrupted: false, lags: false },
  ): Promise<void> {
    const { session } = stay;
    this.#writePending(session);
    const turn = writePrompt(session, this.#clock, backTo);
    this.#pass(5_000);
    const answeredAt = this.#clock;
    this.#pending.set(session, () => writeAnswer(session, answeredAt, turn, how.interrupted));
    if (!how.lags || how.interrupted) this.#writePending(session);
    if (how.interrupted) return;
    await this.#post.send({ kind: "stop", stay, before: () => this.#writePending(session) }, fate);
    if (fate === "lost") this.#writePending(session);
  }

  #writePending(session: Session): void {
    this.#pending.get(session)?.();
    this.#pending.delete(session);
  }

  async #clear(client: Client, stay: Stay, step: Step & { do: "clear" }): Promise<void> {
    const silent = client.kind === "editor" || (client.kind === "desktop" && step.window % 2 === 0);
    const inTerminal = client.kind === "terminal" || client.kind === "old";
    await this.#post.send({ kind: "end", stay, reason: inTerminal ? "clear" : "other" }, silent ? "lost" : step.end);
    this.#pass(60);
    // An editor starts another process and lets the old one linger.
    const next = client.kind === "editor" ? this.#open("editor", client.project) : client;
    if (next !== client) client.stay = undefined;
    await this.#begin(next, inTerminal ? "clear" : "startup", step.start, step.ghost);
  }

  #resumable(): Session[] {
    const open = this.world.clients.filter(({ runs }) => runs).map(({ stay }) => stay?.session);
    return this.world.sessions.filter(
      (session) => hasTurn(session) && session.kind !== "program" && !open.includes(session),
    );
  }

  async #resume(client: Client, stay: Stay, step: Step & { do: "resume" }): Promise<void> {
    const choice = this.#resumable().filter(({ project }) => project === client.project);
    const session = choice[step.session % choice.length];
    if (!session) return;
    await this.#post.send({ kind: "end", stay, reason: "resume" }, step.end);
    this.#pass(60);
    await this.#goOn(client, session, step.start);
  }

  async #goOn(client: Client, session: Session, fate: Fate): Promise<void> {
    this.#writePending(session);
    client.stay = this.#turnTo(client, session);
    await this.#post.send({ kind: "start", stay: client.stay, source: "resume" }, fate);
  }

  async #fromSession(step: Step & { do: "reopen" | "fork" }): Promise<void> {
    const choice = step.do === "reopen" ? this.#resumable() : this.world.sessions.filter(hasTurn);
    const session = choice[step.session % choice.length];
    if (!session) return;
    if (step.do === "reopen") return this.#goOn(this.#open(step.kind, session.project), session, step.start);
    this.#writePending(session);
    const client = this.#open(step.as === "fork" ? "terminal" : "desktop", session.project);
    const fork = this.#session(client);
    client.stay = this.#turnTo(client, fork);
    const copy = () => copyTurns(session, fork, 1 + (step.turns % session.turns.length), step.newIds);
    if (step.as === "startup") copy();
    await this.#post.send({ kind: "start", stay: client.stay, source: step.as }, "ok");
    if (step.as === "fork") copy();
    fork.link = session.link;
    await this.#prompt(client.stay, step.stop);
  }

  async #program(project: number): Promise<void> {
    const client = this.#open("program", project);
    await this.#begin(client, "startup", "ok", "none");
    const stay = client.stay as Stay;
    await this.#prompt(stay, "ok");
    await this.#post.send({ kind: "end", stay, reason: "other" }, "ok");
    client.runs = false;
  }

  async #arrive(event: Event): Promise<void> {
    const { stay } = event;
    const { session, client } = stay;
    this.#pass(20);
    const first = event.kind === "start" && !stay.heard.has("start");
    const past =
      first && event.source !== "resume" && event.source !== "fork" ? pastOf(this.world, stay, event.source) : [];
    if (event.kind === "stop") event.before();
    session.startedAt ??= this.#clock;
    session.heardAt = this.#clock;
    session.kind = client.kind;
    const told = await callHooks(this.#home, this.world, event, this.#clock);
    stay.heard.add(event.kind);
    stay.lastHeard = ++this.#events;
    if (event.kind === "start") expectTold(this.#db, this.world, stay, past, told);
  }
}
