import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { valueText } from "../src/commands/config-list.ts";
import { defaults, keys, settings } from "../src/settings.ts";

test.each(keys)("%s takes its default", (key) => {
  expect(settings[key].takes(defaults[key])).toBe(true);
});

test("the README's table names the settings, their values, their defaults and what they are", () => {
  const readme = readFileSync(join(import.meta.dir, "../README.md"), "utf8");
  const rows = [...readme.matchAll(/^\| `(\w+)` +\|(.*)\|(.*)\|(.*)\|$/gm)].map(([, key = "", ...cells]) => [
    key,
    ...cells.map((cell) => cell.replaceAll("`", "").trim()),
  ]);
  const expected = keys.map((key) => {
    const { values, default: byDefault, description } = settings[key];
    return [key, values, valueText(byDefault), description];
  });
  expect(rows).toEqual(expected);
});
