import { defineCommand } from "citty";
import type { Env } from "../env.ts";
import { printText } from "../output.ts";
import { changeConfig, readSection } from "./config-file.ts";
import { projectOfCall } from "./scope.ts";

/** The settings that `off` sets to "off" for a project and `on` takes away again. */
export const switches = ["capture", "inherit"] as const;

/** `throughline off`: nothing of this project is stored or told any more. */
export default (env: Env) =>
  defineCommand({
    meta: { name: "off", description: "Store nothing of this project and tell its sessions nothing, until `on`" },
    async run() {
      const project = projectOfCall(env);
      const own = readSection(env, project);
      const isOff = switches.every((key) => own[key] === "off");
      if (!isOff) changeConfig(env, project, Object.fromEntries(switches.map((key) => [key, "off"])));
      await printText(
        `Throughline is ${isOff ? "already " : ""}off in ${project}: nothing more is stored and new sessions are told nothing. ` +
          "What is stored stays. `throughline on` switches it on again.\n",
      );
    },
  });
