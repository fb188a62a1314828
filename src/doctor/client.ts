import type { Env } from "../env.ts";
import { isOldClient, oldestClient, runClient } from "../install/client.ts";
import type { Found } from "../install/found.ts";
import { countOwnHooks } from "../install/old-hooks.ts";
import { quoted } from "../install/quote.ts";
import { pluginId, type Settings } from "../install/settings.ts";
import { broken, type Finding, note, ok } from "./finding.ts";

const nothingRuns = "no hook runs, so nothing is stored and nothing restored";

/** Claude Code: found, new enough, logged in. */
export async function checkClient(env: Env, { client, cwd }: Found): Promise<Finding[]> {
  if (!client) {
    const why = "the plugin can be neither registered nor updated from here";
    return [
      broken("Claude Code was not found on the PATH or in its usual places", why, "throughline doctor --claude PATH"),
    ];
  }
  const named = `Claude Code ${client.version ?? "of an unknown version"} at ${client.path}`;
  const age = isOldClient(client)
    ? broken(`${named} is too old`, `its hooks need ${oldestClient} or newer`, "claude update")
    : ok(named);
  const { stdout } = await runClient(env, [client.path, "auth", "status", "--json"], cwd);
  return [age, login(stdout)];
}

function login(told: string): Finding {
  try {
    const { loggedIn } = JSON.parse(told) as { loggedIn?: unknown };
    if (loggedIn === true) return ok("Claude Code is logged in");
    return note(
      "Claude Code is not logged in",
      "sessions cannot start, and no model can summarize",
      "claude auth login",
    );
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return note("Claude Code does not say whether it is logged in", "older versions have no such command", "claude");
  }
}

/** The registration: once, switched on, and hooks allowed at every scope. */
export function checkRegistration({ registration, settings }: Found): Finding[] {
  const { installations, marketplace } = registration;
  if (marketplace === undefined || installations.length === 0)
    return [
      broken("the plugin is not registered with Claude Code", nothingRuns, "throughline install"),
      ...checkHooks(settings),
    ];
  const here = [...new Set(installations.map(({ scope }) => scope))];
  const switched = settings.filter((file) => file.enabledPlugins?.[pluginId] !== undefined).at(-1);
  return [
    here.length > 1
      ? note(
          `the plugin is registered at ${here.length} scopes: ${here.join(", ")}`,
          "one is enough; Claude Code runs its hooks once all the same",
          quoted(["claude", "plugin", "uninstall", pluginId, "--scope", here.at(-1) as string]),
        )
      : ok(`the plugin is registered once, at scope ${here[0]}, from ${marketplace}`),
    switched?.enabledPlugins?.[pluginId] === true
      ? ok(`the plugin is switched on in ${switched.file}`)
      : broken(
          switched ? `the plugin is switched off in ${switched.file}` : "no settings file switches the plugin on here",
          nothingRuns,
          quoted(["claude", "plugin", "enable", pluginId]),
        ),
    ...checkHooks(settings),
  ];
}

function checkHooks(settings: readonly Settings[]): Finding[] {
  return settings.flatMap((file) => {
    const found: Finding[] = [];
    if (file.trouble)
      found.push(
        broken(`${file.file}: ${file.trouble}`, "Claude Code may pass over the whole file", `repair ${file.file}`),
      );
    if (file.disableAllHooks === true)
      found.push(
        broken(`${file.file} says disableAllHooks`, nothingRuns, `take "disableAllHooks" out of ${file.file}`),
      );
    if (file.scope === "managed" && file.allowManagedHooksOnly === true)
      found.push(
        broken(
          `${file.file} allows managed hooks only`,
          nothingRuns,
          "ask whoever manages this machine to allow the plugin",
        ),
      );
    if (file.scope === "managed" && file.strictKnownMarketplaces !== undefined)
      found.push(
        note(
          `${file.file} limits marketplaces`,
          "the plugin's own folder may be refused",
          "ask whoever manages this machine",
        ),
      );
    if (countOwnHooks(file.hooks) > 0)
      found.push(
        broken(
          `${file.file} has hooks of its own that call throughline`,
          "they run beside the plugin's: a second registration",
          `take the entries that name throughline out of "hooks" in ${file.file}`,
        ),
      );
    return found;
  });
}
