import { defineCommand } from "citty";
import { repair } from "../backups/repair.ts";
import { checkProject } from "../doctor/capture.ts";
import { checkClient, checkRegistration } from "../doctor/client.ts";
import { checkConfig, checkDatabase, checkRights } from "../doctor/database.ts";
import { broken, type Finding, ok } from "../doctor/finding.ts";
import { checkLines } from "../doctor/lines.ts";
import { checkOldHooks } from "../doctor/old-hooks.ts";
import { checkProgram } from "../doctor/program.ts";
import type { Env } from "../env.ts";
import { lookAround } from "../install/found.ts";
import { perform } from "../install/perform.ts";
import { printJson, printText } from "../output.ts";
import { ForeignError } from "../ownership.ts";
import { databaseFile } from "../paths.ts";
import { isDamage } from "../store/damage.ts";
import { openStoreReadonly } from "../store/open.ts";
import { programVersion } from "./program-version.ts";

/** `throughline doctor`: what is right and what is not, why it matters, what to type. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "doctor",
      description: "Check the program, the plugin, Claude Code and what is stored; say what to do about what is broken",
    },
    args: {
      json: { type: "boolean", description: "Print JSON" },
      fix: { type: "boolean", description: "Repair what can be repaired without asking" },
      claude: { type: "string", description: "The program of Claude Code", valueHint: "path" },
    },
    async run({ args }) {
      if (args.fix) {
        // First, as nothing is done in a folder where everybody may write.
        const rights = checkRights(env).flatMap(({ fix }) => fix ?? []);
        await perform(env, rights);
        await repair(env);
      }
      let findings = await examine(env, args.claude);
      const steps = args.fix ? findings.flatMap(({ fix }) => fix ?? []) : [];
      if (steps.length > 0) {
        await perform(env, steps);
        findings = await examine(env, args.claude);
      }
      const shown = findings.map(({ fix: _, ...finding }) => finding);
      await (args.json ? printJson(shown) : printText(findingsText(findings)));
      const count = findings.filter(({ level }) => level === "broken").length;
      if (count > 0) throw new Error(count === 1 ? "one thing is broken" : `${count} things are broken`);
    },
  });

async function examine(env: Env, claude: string | undefined): Promise<Finding[]> {
  const found = await lookAround(env, process.execPath, programVersion(), claude);
  return [
    ...(await checkProgram(env, found)),
    ...(await checkClient(env, found)),
    ...checkRegistration(found),
    ...checkOldHooks(env),
    checkConfig(env),
    ...examineStore(env),
  ];
}

function examineStore(env: Env): Finding[] {
  try {
    using db = openStoreReadonly(databaseFile(env));
    if (!db) return [ok("nothing is stored yet")];
    return [...checkDatabase(env, db), ...checkProject(env, db), checkLines(env, db)];
  } catch (error) {
    const why = "hooks cannot store or restore anything";
    if (error instanceof ForeignError) {
      const open = checkRights(env).filter(({ level }) => level === "broken");
      return open.length > 0 ? open : [broken(error.message, why, `ls -ld ${databaseFile(env)}`)];
    }
    const todo = isDamage(error) ? "throughline db repair" : `ls -l ${databaseFile(env)}`;
    return [broken(`the database cannot be read: ${(error as Error).message}`, why, todo)];
  }
}

const marks = { ok: "ok    ", note: "note  ", broken: "BROKEN" };

function findingsText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ level, what, why, todo }) => [
    `${marks[level]}  ${what}`,
    ...(why === undefined ? [] : [`          why: ${why}`]),
    ...(todo === undefined ? [] : [`          do:  ${todo}`]),
  ]);
  return `${lines.join("\n")}\n`;
}
