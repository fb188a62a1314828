import { expect, test } from "bun:test";
import type { Found } from "../../src/install/found.ts";
import { planInstall, type Wishes } from "../../src/install/plan.ts";
import { planUninstall } from "../../src/install/removal.ts";
import { describeStep } from "../../src/install/steps.ts";

const root = "/home/dev/.throughline";
const wishes: Wishes = { scope: "user", bareCommand: false, shellLink: true };
const enabled = {
  scope: "user",
  file: "/home/dev/.claude/settings.json",
  enabledPlugins: { "throughline@throughline": true },
} as const;

/** Everything in place, but for what is given. */
const found = (change: Partial<Found> = {}): Found => ({
  platform: "linux",
  places: {
    root,
    binary: `${root}/bin/throughline`,
    plugin: `${root}/plugin`,
    pluginBinary: `${root}/plugin/bin/throughline`,
    shellLink: "/home/dev/.local/bin/throughline",
    client: "/home/dev/.claude",
    bareCommand: "/home/dev/.claude/commands/sc-detail.md",
  },
  cwd: "/home/dev/project",
  self: "/home/dev/downloads/throughline",
  version: "2.0.0",
  binary: "same",
  laidOut: "2.0.0",
  isExecutable: true,
  missing: [],
  stray: [],
  pluginBinary: "right",
  shellLink: "right",
  isShellLinkOnPath: true,
  isBinaryOnPath: false,
  bareCommand: "absent",
  client: { path: "/usr/bin/claude", version: "2.1.332" },
  registration: { marketplace: `${root}/plugin`, installations: [{ scope: "user", version: "2.0.0" }] },
  settings: [enabled],
  ...change,
});

const add = `run      /usr/bin/claude plugin marketplace add ${root}/plugin`;
const install = "run      /usr/bin/claude plugin install throughline@throughline";

const cases: [string, Partial<Found>, Partial<Wishes>, string[]][] = [
  ["everything in place", {}, {}, []],
  [
    "nothing there",
    {
      binary: "absent",
      laidOut: undefined,
      missing: [["README.md", ""]],
      pluginBinary: "absent",
      registration: { marketplace: undefined, installations: [] },
    },
    {},
    [
      `put here  ${root}/bin/throughline`,
      `write    ${root}/plugin/README.md`,
      `link     ${root}/plugin/bin/throughline -> ${root}/bin/throughline`,
      add,
      install,
    ],
  ],
  [
    "an older version, with a file that this one has not",
    {
      binary: "other",
      laidOut: "1.9.0",
      stray: [`${root}/plugin/old.md`],
      registration: { marketplace: `${root}/plugin`, installations: [{ scope: "user", version: "1.9.0" }] },
    },
    {},
    [
      `replace  1.9.0 by 2.0.0:  ${root}/bin/throughline`,
      `remove   ${root}/plugin/old.md  (left over)`,
      "run      /usr/bin/claude plugin update throughline@throughline",
    ],
  ],
  ["a lost execute bit", { isExecutable: false }, {}, [`rights   ${root}/bin/throughline (755)`]],
  [
    "a link that leads elsewhere",
    { pluginBinary: "other" },
    {},
    [`link     ${root}/plugin/bin/throughline -> ${root}/bin/throughline`],
  ],
  [
    "links that are hard ones, with another program",
    { platform: "win32", binary: "other" },
    {},
    [
      `replace   ${root}/bin/throughline`,
      `link     ${root}/plugin/bin/throughline -> ${root}/bin/throughline`,
      `link     /home/dev/.local/bin/throughline -> ${root}/bin/throughline`,
    ],
  ],
  [
    "no link for the shell",
    { shellLink: "absent" },
    {},
    [`link     /home/dev/.local/bin/throughline -> ${root}/bin/throughline`],
  ],
  ["no link wanted", { shellLink: "absent" }, { shellLink: false }, []],
  ["no link where the PATH has no such folder", { shellLink: "absent", isShellLinkOnPath: false }, {}, []],
  ["somebody else's program in the link's place", { shellLink: "other" }, {}, []],
  ["the bare command", {}, { bareCommand: true }, ["write    /home/dev/.claude/commands/sc-detail.md"]],
  ["a command of the person's own by that name", { bareCommand: "other" }, { bareCommand: true }, []],
  ["switched off", { settings: [] }, {}, [install]],
  [
    "registered from another folder",
    { registration: { marketplace: "/src/throughline", installations: [{ scope: "user", version: "2.0.0" }] } },
    {},
    [add, install],
  ],
  ["another scope", {}, { scope: "local" }, [`${install} --scope local`]],
  ["no client", { client: undefined, settings: [] }, {}, []],
  ["an old client", { client: { path: "/usr/bin/claude", version: "2.1.138" }, settings: [] }, {}, []],
  [
    "the oldest client that will do",
    { client: { path: "/usr/bin/claude", version: "2.1.139" }, settings: [] },
    {},
    [install],
  ],
];

test.each(cases)("install: %s", (_name, change, wish, steps) => {
  const plan = planInstall(found(change), { ...wishes, ...wish });
  expect(plan.steps.map(describeStep)).toEqual(steps);
});

test("without a client, or with an old one, the person is told what to type", () => {
  const bare = { settings: [], registration: { marketplace: undefined, installations: [] } };
  const none = planInstall(found({ ...bare, client: undefined }), wishes);
  expect(none.toType.map((command) => command.join(" "))).toEqual([
    `claude plugin marketplace add ${root}/plugin`,
    "claude plugin install throughline@throughline",
  ]);
  expect(none.trouble).toContain("not found");
  const old = planInstall(found({ ...bare, client: { path: "/usr/bin/claude", version: "2.1.100" } }), wishes);
  expect(old.trouble).toContain("2.1.139");
  expect(old.toType).toHaveLength(2);
});

test("what stands in the way is named and left", () => {
  const plan = planInstall(found({ shellLink: "other", bareCommand: "other" }), { ...wishes, bareCommand: true });
  expect(plan.left).toEqual(["/home/dev/.local/bin/throughline", "/home/dev/.claude/commands/sc-detail.md"]);
});

const kept = [
  { path: `${root}/memory.db`, bytes: 1_234, isOurs: true },
  { path: `${root}/throughline.db`, bytes: 5, isOurs: false },
];

test("uninstall asks the client first, and keeps what was stored", () => {
  const removal = planUninstall(found({ bareCommand: "right" }), kept, false);
  expect(removal.steps.map(describeStep)).toEqual([
    "run      /usr/bin/claude plugin uninstall throughline@throughline",
    "run      /usr/bin/claude plugin marketplace remove throughline",
    "remove   /home/dev/.claude/commands/sc-detail.md",
    "remove   /home/dev/.claude/commands  (if it is empty then)",
    "remove   /home/dev/.local/bin/throughline",
  ]);
  expect(removal.kept).toEqual(kept);
});

test("uninstall --purge deletes what is ours, and nothing of another program", () => {
  const removal = planUninstall(found(), kept, true);
  expect(removal.steps.map(describeStep)).toContain(`remove   ${root}/memory.db  (1,234 bytes)`);
  expect(removal.kept.map(({ path }) => path)).toEqual([`${root}/throughline.db`]);
});
