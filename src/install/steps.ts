import { quoted } from "./quote.ts";

/** One change of an installation or a removal. */
export type Step =
  /** Puts the program in its place: a hard link where one can be made, else a copy, by renaming. */
  | { do: "place"; from: string; to: string; note: string }
  /** Sets the rights of a file or folder. */
  | { do: "mode"; path: string; mode: number }
  | { do: "write"; path: string; text: string; note?: string }
  /** Makes a link to the program. */
  | { do: "link"; path: string; target: string }
  | { do: "remove"; path: string; note?: string }
  /** Removes a folder that nothing is left in. */
  | { do: "tidy"; path: string }
  /** Has the client do something, in a folder that settings of a project depend on. */
  | { do: "run"; command: string[]; cwd: string };

/** The step as the person is shown it. */
export function describeStep(step: Step): string {
  switch (step.do) {
    case "place":
      return `${step.note}  ${step.to}`;
    case "mode":
      return `rights   ${step.path} (${step.mode.toString(8)})`;
    case "write":
      return `write    ${step.path}${step.note ? `  (${step.note})` : ""}`;
    case "link":
      return `link     ${step.path} -> ${step.target}`;
    case "remove":
      return `remove   ${step.path}${step.note ? `  (${step.note})` : ""}`;
    case "tidy":
      return `remove   ${step.path}  (if it is empty then)`;
    case "run":
      return `run      ${quoted(step.command)}`;
  }
}
