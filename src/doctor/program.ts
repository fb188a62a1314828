import type { Env } from "../env.ts";
import { runClient } from "../install/client.ts";
import type { Found } from "../install/found.ts";
import { planInstall } from "../install/plan.ts";
import { broken, type Finding, note, ok } from "./finding.ts";

/** The program and the plugin: whether both are whole and of one version. */
export async function checkProgram(env: Env, found: Found): Promise<Finding[]> {
  const { places, binary, laidOut, version, registration, missing, pluginBinary, isExecutable } = found;
  if (registration.marketplace !== undefined && registration.marketplace !== places.plugin) {
    const why = "what `throughline install` lays out is not what Claude Code uses";
    return [note(`the plugin is read from ${registration.marketplace}`, why, "throughline install")];
  }
  if (binary === "absent") {
    return [broken(`the program is not at ${places.binary}`, "the hooks have nothing to start", "throughline install")];
  }
  const fix = repair(found);
  const findings: Finding[] = [];
  if (!isExecutable) {
    const why = "every hook fails: nothing is stored and nothing restored";
    findings.push(broken(`${places.binary} is not executable`, why, "throughline doctor --fix", fix));
  } else {
    const { stdout } = await runClient(env, [places.binary, "--version"], env.cwd);
    const installed = stdout.trim();
    findings.push(
      installed === laidOut
        ? ok(`program and plugin are version ${installed}`)
        : broken(
            `the program is version ${installed || "unknown"}, the plugin ${laidOut ?? "absent"}`,
            "hooks may be called in a way that the program does not know",
            "throughline install",
          ),
    );
    if (installed !== version)
      findings.push(
        note(`this is version ${version}, not the installed one`, "its findings may differ", "throughline install"),
      );
  }
  if (pluginBinary !== "right")
    findings.push(
      broken(
        `${places.pluginBinary} does not lead to the program`,
        "the hooks start nothing or something else",
        "throughline doctor --fix",
        fix,
      ),
    );
  if (missing.length > 0 && laidOut === version) {
    const names = missing.map(([path]) => path).join(", ");
    findings.push(
      broken(
        `the plugin's files are not as they were laid out: ${names}`,
        "hooks or commands may be missing",
        "throughline doctor --fix",
        fix,
      ),
    );
  }
  return findings;
}

// What an installation by this very program would put right, short of asking the client.
const repair = (found: Found) =>
  planInstall({ ...found, binary: "same" }, { scope: "user", bareCommand: false, shellLink: false }).steps.filter(
    (step) => step.do !== "run",
  );
