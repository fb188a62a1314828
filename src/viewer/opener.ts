import type { Env } from "../env.ts";

/** What opens an address in the person's browser, without a shell; `undefined` where there is no screen to show it on. */
export function openerFor(platform: NodeJS.Platform, vars: Env["vars"]): readonly string[] | undefined {
  if (platform === "darwin") return ["/usr/bin/open"];
  if (platform === "win32")
    return [`${vars.SystemRoot ?? "C:\\Windows"}\\System32\\rundll32.exe`, "url.dll,FileProtocolHandler"];
  if (!vars.DISPLAY && !vars.WAYLAND_DISPLAY) return undefined;
  const opener = Bun.which("xdg-open", { PATH: vars.PATH ?? "" });
  return opener ? [opener] : undefined;
}

/** Opens an address in the person's browser; whether there was something to open it with. */
export function openBrowser(url: string, platform: NodeJS.Platform, vars: Env["vars"]): boolean {
  const opener = openerFor(platform, vars);
  if (!opener) return false;
  Bun.spawn([...opener, url], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).unref();
  return true;
}
