const words = "harbour lantern copper meadow violin saffron glacier orchard thimble compass walnut ribbon".split(" ");

/** One turn of a scripted talk: what the person types, what Claude says before and after its tool, what only the tool prints. */
export interface Turn {
  label: string;
  prompt: string;
  opening: string;
  answer: string[];
  tool: string;
}

/** Turn `number` of the talk called `name`; its lines are found nowhere else, about 2 KB of L2. */
export function turnOf(name: string, number: number): Turn {
  const label = `${name}-${String(number).padStart(2, "0")}`;
  const base = seedOf(label) * 1000;
  const prompt = `${label}: go on with the ${wordsOf(label, 0)} and tell me what you see. THINK BASH:seq ${base + 1} ${base + 40}`;
  return { label, prompt, opening: openingOf(label), answer: answerTo(label), tool: String(base + 20) };
}

/** Turns `from` to `to` of a talk, both included. */
export function turnsOf(name: string, from: number, to: number): Turn[] {
  return Array.from({ length: to - from + 1 }, (_, index) => turnOf(name, from + index));
}

/** The lines of Claude's last text block of the turn with this label. */
export function answerTo(label: string): string[] {
  const lines = Array.from({ length: 13 }, (_, index) => `${label} line ${index + 1}: ${wordsOf(label, index + 1)}.`);
  return [`Answer to ${label}.`, ...lines, endOf(label)];
}

/** The whole of that answer, as one message. */
export function replyTo(label: string): string {
  return answerTo(label).join("\n");
}

/** What Claude says before it calls the tool. */
export function openingOf(label: string): string {
  return `Looking first: ${label}.`;
}

/** The text with which the answer about `label` ends. */
export function endOf(label: string): string {
  return `End of ${label}.`;
}

/** The label that a prompt carries, if it is one of a scripted talk. */
export function labelIn(prompt: string): string | undefined {
  return /^\s*([a-z]+-\d\d):/.exec(prompt)?.[1];
}

function seedOf(label: string): number {
  return 1000 + (Bun.hash.crc32(label) % 9000);
}

function wordsOf(label: string, line: number): string {
  const start = seedOf(label) + line * 5;
  return Array.from({ length: 14 }, (_, index) => words[(start + index * (1 + (line % 5))) % words.length]).join(" ");
}
