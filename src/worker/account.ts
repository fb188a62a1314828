import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../env.ts";
import { clientFolder } from "../paths.ts";
import type { Account } from "../summarize/account.ts";

/** What settings may say about where requests go, whose they are, and how they get there. */
const aboutAccounts =
  /^(?:ANTHROPIC_|CLAUDE_CODE_(?:USE|SKIP|OAUTH)_|AWS_|GOOGLE_|CLOUD_ML_|VERTEX_|AZURE_|NODE_EXTRA_CA_CERTS$|(?:HTTPS?|NO)_PROXY$)/;

const managedSettings: Partial<Record<NodeJS.Platform, string>> = {
  linux: "/etc/claude-code/managed-settings.json",
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
  win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
};

/** Commands in the client's settings that fetch a key or renew a login; the client runs them, never we. */
const helperNames = ["apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh"];

/**
 * What the person's client would pay with: its variables, those that its settings add, the settings' helpers, and whether
 * it has a stored login. Only whether there is one is looked at. A project's settings have no say.
 */
export function readAccount(env: Env): Account {
  const managed = managedSettings[process.platform];
  const files = [join(clientFolder(env), "settings.json"), ...(managed === undefined ? [] : [managed])].map(readObject);
  return {
    vars: Object.assign({ ...env.vars }, ...files.map(varsOf)),
    helpers: Object.assign({}, ...files.map(helpersOf)),
    hasLogin: hasStoredLogin(env),
  };
}

function hasStoredLogin(env: Env): boolean {
  const login = readObject(join(clientFolder(env), ".credentials.json")).claudeAiOauth;
  if (typeof login === "object" && login !== null && "accessToken" in login) return true;
  // On macOS the login is in the keychain, and the client's own file says whose it is.
  if (process.platform !== "darwin") return false;
  const state = readObject(join(env.vars.CLAUDE_CONFIG_DIR || env.home, ".claude.json"));
  return typeof state.oauthAccount === "object" && state.oauthAccount !== null && !state.primaryApiKey;
}

function varsOf({ env }: Record<string, unknown>): Record<string, string> {
  if (typeof env !== "object" || env === null) return {};
  const told = Object.entries(env).filter(([name, value]) => aboutAccounts.test(name) && typeof value === "string");
  return Object.fromEntries(told);
}

const helpersOf = (settings: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    helperNames.flatMap((name) => {
      const command = settings[name];
      return typeof command === "string" && command.trim() !== "" ? [[name, command]] : [];
    }),
  );

// A file that is absent, not for us or half written says nothing.
function readObject(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return {};
    throw error;
  }
}
