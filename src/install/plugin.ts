import restore from "../../.claude-plugin/commands/restore.md" with { type: "text" };
import scDetail from "../../.claude-plugin/commands/sc-detail.md" with { type: "text" };
import hooks from "../../.claude-plugin/hooks.json" with { type: "json" };
import marketplace from "../../.claude-plugin/marketplace.json" with { type: "json" };
import declared from "../../.claude-plugin/plugin.json" with { type: "json" };
import search from "../../.claude-plugin/skills/search/SKILL.md" with { type: "text" };
import license from "../../LICENSE" with { type: "text" };
import readme from "../../README.md" with { type: "text" };

/** A file of the plugin: its path in the plugin's folder, and what it holds. */
export type PluginFile = readonly [path: string, text: string];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The plugin's files for a platform, all but the program; `sc-detail.md` is the one that may stand bare. */
export function pluginFiles(version: string, platform: NodeJS.Platform = process.platform): PluginFile[] {
  const { name, description, ...rest } = declared;
  return [
    [".claude-plugin/plugin.json", json({ name, version, description, ...rest })],
    [".claude-plugin/hooks.json", hooksFor(platform)],
    [".claude-plugin/commands/restore.md", restore],
    [".claude-plugin/commands/sc-detail.md", scDetail],
    [".claude-plugin/skills/search/SKILL.md", search],
    ["LICENSE", license],
    ["README.md", readme],
  ];
}

/** The marketplace that is the plugin's own folder. */
export const ownMarketplace = (): PluginFile => [
  ".claude-plugin/marketplace.json",
  json({ ...marketplace, plugins: marketplace.plugins.map((plugin) => ({ ...plugin, source: "./" })) }),
];

/** The text of the command file `sc-detail.md`. */
export const bareCommandText: string = scDetail;

// The exec form starts a file by its name, without a shell that would know what endings to try.
function hooksFor(platform: NodeJS.Platform): string {
  const text = json(hooks);
  return platform === "win32" ? text.replaceAll("/bin/throughline", "/bin/throughline.exe") : text;
}
