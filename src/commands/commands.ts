import type { CommandDef } from "citty";

/** All commands by name, each loaded when it is asked for. */
export type Commands = Readonly<Record<string, () => Promise<CommandDef>>>;
