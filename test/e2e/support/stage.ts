import { type Api, serveApi } from "./api.ts";
import { installClient, versions } from "./client.ts";
import { type Home, makeHome } from "./home.ts";
import { installPlugin } from "./plugin.ts";
import { builds } from "./repo.ts";
import { openWindow, type Window } from "./window.ts";

/** Everything that one scenario plays on: a home with the plugin installed, the stand-in, and windows as needed. */
export interface Stage extends AsyncDisposable {
  api: Api;
  home: Home;
  open(extra?: Record<string, string>, args?: string[]): Promise<Window>;
}

/** The commands that the scripted talk runs, as rules a person may have in their settings; none for our own. */
const allow = ["Bash(seq:*)", "Bash(cd:*)"];

/** Sets the stage with that version of the client, that build of the plugin (`null`: none) and these settings of the person. */
export async function setStage(
  version = versions.current,
  root: string | null = builds.plugin,
  settings = {},
): Promise<Stage> {
  const client = await installClient(version);
  await using undo = new AsyncDisposableStack();
  const api = undo.use(serveApi());
  const home = undo.use(makeHome(api.url, allow, settings));
  if (root !== null) await installPlugin(home, client, root);
  const rest = undo.move();
  const open = async (extra?: Record<string, string>, args?: string[]) =>
    rest.use(await openWindow(home, api, client, extra, args));
  return { api, home, open, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}
