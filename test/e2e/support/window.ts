import { type Api, exchangeAbout } from "./api.ts";
import type { Home } from "./home.ts";
import { isConversation } from "./request.ts";
import { inputIn, makeScreen, size, withoutSpaces } from "./screen.ts";
import { type Session, sessionOf, transcriptOf } from "./session.ts";
import { until } from "./wait.ts";

/** Milliseconds after which the client takes a key for itself. */
const pause = 300;

/** The client on a pseudo-terminal, driven as a person at the keyboard would. */
export interface Window extends AsyncDisposable {
  /** What is on the screen now. */
  screen(): string;
  /** What stands in the input box, without spaces; undefined while there is none. */
  input(): string | undefined;
  /** The session that the window serves now. */
  sessionId(): string;
  /** The transcript of that session so far. */
  transcript(): string;
  /** Types a text and Enter, and waits until the client has taken it. */
  submit(text: string): Promise<void>;
  /** Submits a prompt and waits until it is answered and the client is idle again. */
  prompt(text: string): Promise<void>;
  /** Waits until a prompt that was submitted is answered and the client is idle again. */
  answered(text: string): Promise<void>;
  /** Does what makes Claude go on, and waits until that is answered and the client is idle again. */
  during(act: () => void | Promise<void>): Promise<void>;
  /** Types `/clear` and waits until the new session is ready. */
  clear(): Promise<void>;
  /** Presses one key. */
  press(key: keyof typeof keys): void;
  /** Types a text without Enter. */
  type(text: string): void;
  /** Waits until the client has taken what was typed or pressed last. */
  rest(): Promise<void>;
  /** Empties the input box. */
  empty(): Promise<void>;
  /** Waits until the screen shows `text`. */
  waitFor(text: string, timeout?: number): Promise<void>;
  /** Waits until `probe` gives a value; on timeout the error shows the screen. */
  until<T>(what: string, probe: () => T | undefined | false): Promise<T>;
  /** Waits until the client is idle and shows its empty input box. */
  settle(): Promise<Session>;
  /** Types `/exit` and waits until the client has ended by itself. */
  exit(): Promise<void>;
  /** Ends the client; closing twice is closing once. */
  close(): Promise<void>;
  /** Ends the client at once, as `kill -9` does: it reports nothing more. */
  kill(): Promise<void>;
}

const keys = {
  Enter: "\r",
  Escape: "\x1b",
  Up: "\x1b[A",
  Down: "\x1b[B",
  Tab: "\t",
  ShiftTab: "\x1b[Z",
  ClearLine: "\x15",
};

/** Opens a window in the home's project and waits until it is ready for a prompt. */
export async function openWindow(
  home: Home,
  api: Api,
  client: string,
  extra: Record<string, string> = {},
  args: string[] = [],
): Promise<Window> {
  const screen = makeScreen((reply) => child.terminal?.write(reply));
  const child = Bun.spawn([client, ...args], {
    cwd: home.project,
    env: { ...home.environment, ...extra },
    terminal: { ...size, data: (_terminal, bytes) => screen.write(bytes) },
  });
  const describe = () => screen.text();
  const awaited = <T>(what: string, probe: () => T | undefined | false, timeout?: number) =>
    until(what, probe, { describe, ...(timeout === undefined ? {} : { timeout }) });

  let wroteAt = Number.NEGATIVE_INFINITY;

  function write(text: string): void {
    wroteAt = performance.now();
    child.terminal?.write(text);
  }

  function idleSession(): Session | undefined {
    const session = sessionOf(home, child.pid);
    const isIdle = session?.status === "idle" && inputIn(screen.text()) === "";
    return isIdle && !screen.text().includes("esc to interrupt") ? session : undefined;
  }

  async function submit(text: string): Promise<void> {
    write(text);
    await awaited(`"${text}" in the input box`, () => inputIn(screen.text()) === withoutSpaces(text));
    await rest();
    write(keys.Enter);
    await awaited(`leave of "${text}"`, () => inputIn(screen.text()) !== withoutSpaces(text));
  }

  // What comes close behind a text counts as pasted with it, and a menu that has just moved lets a text fall.
  async function rest(): Promise<void> {
    await awaited("rest", () => performance.now() - wroteAt > pause);
  }

  function sessionId(): string {
    const session = sessionOf(home, child.pid);
    if (session === undefined) throw new Error("the client serves no session");
    return session.sessionId;
  }

  async function prompt(text: string): Promise<void> {
    await settle();
    await submit(text);
    await answered(text);
  }

  async function answered(text: string): Promise<void> {
    const { end } = await awaited(`answer to "${text}"`, () => {
      const exchange = exchangeAbout(api, text);
      return exchange?.isDone && exchange.reply.isLast && exchange.reply;
    });
    await awaited(`"${end}" in the transcript`, () => transcriptOf(home, sessionId()).includes(end));
    await settle();
  }

  async function during(act: () => void | Promise<void>): Promise<void> {
    const before = api.exchanges.length;
    await act();
    const { end } = await awaited("last answer", () => {
      const newest = api.exchanges.slice(before).findLast(({ request }) => isConversation(request));
      return newest?.isDone && newest.reply.isLast && newest.reply;
    });
    await awaited(`"${end}" in the transcript`, () => transcriptOf(home, sessionId()).includes(end));
    await settle();
  }

  async function clear(): Promise<void> {
    const { sessionId: before } = await settle();
    await submit("/clear");
    // The client begins the new transcript when every SessionStart hook has returned.
    await awaited("new session", () => {
      const session = idleSession();
      return session && session.sessionId !== before && transcriptOf(home, session.sessionId) !== "";
    });
  }

  async function empty(): Promise<void> {
    await awaited("input box", () => inputIn(screen.text()) !== undefined);
    write(keys.ClearLine);
    await awaited("empty input box", () => inputIn(screen.text()) === "");
  }

  async function settle(): Promise<Session> {
    return awaited("idle client", idleSession);
  }

  async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    child.kill(signal);
    const force = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await child.exited;
    clearTimeout(force);
    await leave();
  }

  async function exit(): Promise<void> {
    await settle();
    write("/exit");
    await rest();
    write(keys.Enter);
    await awaited("end of the client", () => child.exitCode !== null);
    await leave();
  }

  async function leave(): Promise<void> {
    child.terminal?.close();
    screen[Symbol.dispose]();
  }

  let closed: Promise<void> | undefined;
  const close = () => (closed ??= end("SIGTERM"));
  const exitOnce = () => (closed ??= exit());
  const kill = () => (closed ??= end("SIGKILL"));

  try {
    await settle();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    screen: () => screen.text(),
    input: () => inputIn(screen.text()),
    sessionId,
    transcript: () => transcriptOf(home, sessionId()),
    submit,
    prompt,
    answered,
    during,
    clear,
    press: (key) => write(keys[key]),
    type: write,
    rest,
    empty,
    until: awaited,
    waitFor: async (text, timeout) =>
      void (await awaited(`"${text}" on the screen`, () => screen.text().includes(text), timeout)),
    settle,
    exit: exitOnce,
    close,
    kill,
    [Symbol.asyncDispose]: close,
  };
}
