import { Terminal } from "@xterm/headless";

/** A terminal's screen in memory: what a person would see of the bytes that were written to it. */
export interface Screen extends Disposable {
  write(bytes: Uint8Array): void;
  text(): string;
}

export const size = { cols: 160, rows: 50 };

/** Makes an empty screen; `answer` is given what a terminal replies to a program's questions about it. */
export function makeScreen(answer: (reply: string) => void): Screen {
  const terminal = new Terminal({ ...size, scrollback: 0, allowProposedApi: true });
  terminal.onData(answer);
  return {
    write: (bytes) => terminal.write(bytes),
    text: () => linesOf(terminal).join("\n").trimEnd(),
    [Symbol.dispose]: () => terminal.dispose(),
  };
}

/** What stands in the client's input box, without line breaks and spaces; undefined while it shows none. */
export function inputIn(screen: string): string | undefined {
  const lines = screen.split("\n");
  const bottom = lines.findLastIndex(isBorder);
  const top = lines.slice(0, Math.max(bottom, 0)).findLastIndex(isBorder);
  const box = lines.slice(top + 1, bottom);
  if (top === -1 || !box[0]?.startsWith("❯")) return undefined;
  return withoutSpaces(box.join("").slice(1));
}

/** The same text without any white space, to compare what a screen has wrapped. */
export function withoutSpaces(text: string): string {
  return text.replace(/\s/g, "");
}

function isBorder(line: string): boolean {
  return line.startsWith("─".repeat(20));
}

function linesOf(terminal: Terminal): string[] {
  const buffer = terminal.buffer.active;
  return Array.from(
    { length: size.rows },
    (_, row) => buffer.getLine(buffer.viewportY + row)?.translateToString(true) ?? "",
  );
}
