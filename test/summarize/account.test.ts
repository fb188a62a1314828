import { describe, expect, test } from "bun:test";
import { permit, type Vars } from "../../src/summarize/account.ts";

const [key, token, login] = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];
const url = "ANTHROPIC_BASE_URL";
const [own, foreign] = ["https://api.anthropic.com", "http://127.0.0.1:1"];

/** What is allowed: the variables kept of those given, and whether the stored login is out of reach. */
type Case = [what: string, mode: "login" | "any", hasLogin: boolean, vars: Record<string, string>, expected: string];

const cases: Case[] = [
  ["a login alone", "login", true, {}, "runs with nothing"],
  ["a login and keys: the keys are dropped", "login", true, { [key]: "k", [token]: "t" }, "runs with nothing"],
  ["a login in a variable", "login", false, { [login]: "l" }, `runs with ${login}`],
  ["no login", "login", false, {}, "refused: no-login"],
  ["a key alone", "login", false, { [key]: "k" }, "refused: no-login"],
  ["a key and an address", "login", false, { [key]: "k", [url]: foreign }, "refused: no-login"],
  ["a login and its own address", "login", true, { [url]: own, [key]: "k" }, `runs with ${url}`],
  ["a login and its own address with a slash", "login", true, { [url]: `${own}/` }, `runs with ${url}`],
  ["a login and another address", "login", true, { [url]: foreign }, "refused: foreign-url"],
  [
    "a login in a variable and another address",
    "login",
    false,
    { [login]: "l", [url]: foreign },
    "refused: foreign-url",
  ],
  ["its own address unencrypted", "login", true, { [url]: "http://api.anthropic.com" }, "refused: foreign-url"],
  ["an address that begins as its own", "login", true, { [url]: `${own}.evil.example` }, "refused: foreign-url"],
  [
    "its own address as a name before another",
    "login",
    true,
    { [url]: "https://api.anthropic.com@evil.example" },
    "refused: foreign-url",
  ],
  ["its own address on another port", "login", true, { [url]: `${own}:8443` }, "refused: foreign-url"],
  ["an address that is none", "login", true, { [url]: "nonsense" }, "refused: foreign-url"],
  ["an empty address is none", "login", true, { [url]: "", [key]: "k" }, `runs with ${url}`],
  [
    "a login, another address and its key",
    "login",
    true,
    { [url]: foreign, [key]: "k" },
    `runs with ${key} ${url}, no login`,
  ],
  [
    "a login, another address and its token",
    "login",
    true,
    { [url]: foreign, [token]: "t" },
    `runs with ${token} ${url}, no login`,
  ],
  [
    "the same with the login in a variable",
    "login",
    true,
    { [url]: foreign, [key]: "k", [login]: "l" },
    `runs with ${key} ${url}, no login`,
  ],
  [
    "a login and a provider: all stays as it is",
    "login",
    true,
    { CLAUDE_CODE_USE_BEDROCK: "1", [key]: "k" },
    `runs with ${key} CLAUDE_CODE_USE_BEDROCK, no login`,
  ],
  [
    "a provider that is switched off",
    "login",
    true,
    { CLAUDE_CODE_USE_BEDROCK: "0", [key]: "k" },
    "runs with CLAUDE_CODE_USE_BEDROCK",
  ],
  ["any: a key", "any", false, { [key]: "k" }, `runs with ${key}`],
  ["any: a login", "any", true, {}, "runs with nothing"],
  ["any: both, as the client chooses", "any", true, { [key]: "k" }, `runs with ${key}`],
  [
    "any: another address and its key",
    "any",
    true,
    { [key]: "k", [url]: foreign },
    `runs with ${key} ${url}, no login`,
  ],
  ["any: a login and another address", "any", true, { [url]: foreign }, "refused: foreign-url"],
  ["any: another address alone", "any", false, { [url]: foreign }, "refused: no-login"],
];

describe("whose account", () => {
  test.each(cases)("%s", (_, mode, hasLogin, vars, expected) => {
    expect(tell(permit(mode, { vars: { PATH: "/bin", ...vars }, helpers: {}, hasLogin }))).toBe(expected);
  });

  const helpers = { apiKeyHelper: "print-key" };
  test.each([
    ["any: its own address", "any", true, {}, "runs with nothing and apiKeyHelper"],
    ["any: another address", "any", false, { [url]: foreign }, `runs with ${url} and apiKeyHelper, no login`],
    [
      "any: another address and a login",
      "any",
      true,
      { [url]: foreign },
      `runs with ${url} and apiKeyHelper, no login`,
    ],
    ["a login and its own address", "login", true, {}, "runs with nothing"],
    ["a login and another address", "login", true, { [url]: foreign }, `runs with ${url} and apiKeyHelper, no login`],
    ["no login", "login", false, {}, "refused: no-login"],
  ] satisfies Case[])("a command that prints a key, %s", (_, mode, hasLogin, vars, expected) => {
    expect(tell(permit(mode, { vars, helpers, hasLogin }))).toBe(expected);
  });

  test("a login never goes with an address that is not its own", () => {
    const values: Record<string, (string | undefined)[]> = {
      [key]: [undefined, "", "k"],
      [token]: [undefined, "t"],
      [login]: [undefined, "l"],
      [url]: [undefined, "", own, foreign, "https://gateway.example/v1"],
      CLAUDE_CODE_USE_VERTEX: [undefined, "0", "1"],
    };
    const all = Object.entries(values).reduce<Vars[]>(
      (found, [name, choices]) => found.flatMap((vars) => choices.map((value) => ({ ...vars, [name]: value }))),
      [{}],
    );
    for (const vars of all) {
      for (const mode of ["login", "any"] as const) {
        for (const hasLogin of [true, false]) {
          const given = permit(mode, { vars, helpers: {}, hasLogin });
          if ("refused" in given) continue;
          const isForeign = ![undefined, "", own].includes(given.vars[url]);
          if (isForeign) expect([given.withoutLogin, given.vars[login]]).toEqual([true, undefined]);
          else if (mode === "login" && vars.CLAUDE_CODE_USE_VERTEX !== "1") expect(given.vars[key]).toBeUndefined();
        }
      }
    }
  });
});

function tell(given: ReturnType<typeof permit>): string {
  if ("refused" in given) return `refused: ${given.refused}`;
  const names = Object.keys(given.vars).filter((name) => name !== "PATH");
  const helpers = Object.keys(given.helpers).map((name) => ` and ${name}`);
  return `runs with ${names.toSorted().join(" ") || "nothing"}${helpers.join("")}${given.withoutLogin ? ", no login" : ""}`;
}
