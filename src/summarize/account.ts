/** Variables by name; a name that is absent is not set. */
export type Vars = Readonly<Record<string, string | undefined>>;

/** Client settings by name. */
export type Helpers = Readonly<Record<string, string>>;

/** What the client finds of ways to pay, beside its variables. */
export interface Account {
  vars: Vars;
  /** The settings that name commands which fetch a key or renew a login, as `apiKeyHelper`. */
  helpers: Helpers;
  /** Whether the client has a stored login. */
  hasLogin: boolean;
}

/** With which variables and helpers the client runs, or why it does not. */
export type Permission =
  | {
      vars: Record<string, string>;
      helpers: Helpers;
      /** The stored login must be out of the client's reach. */
      withoutLogin: boolean;
    }
  | { refused: "no-login" | "foreign-url"; detail: string | null };

const keys = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"];
const logins = ["CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_OAUTH_REFRESH_TOKEN"];
const providers = /^CLAUDE_CODE_USE_[A-Z_]+$|^ANTHROPIC_(?!BASE_URL$)[A-Z_]+_BASE_URL$/;
/** Where the login belongs. */
const ownHost = "api.anthropic.com";

/**
 * Whose account a run may use. `login` runs only where there is a stored login: the person's keys are dropped then, but
 * only where nothing sends requests elsewhere, or the login would go there in their place. `any` runs as the person's
 * client would. In neither does a login reach an address that is not its own.
 */
export function permit(mode: "login" | "any", { vars, helpers, hasLogin }: Account): Permission {
  const isLoggedIn = hasLogin || logins.some((name) => isSet(vars[name]));
  if (mode === "login" && !isLoggedIn) return { refused: "no-login", detail: null };
  const url = vars.ANTHROPIC_BASE_URL;
  const isForeign = isSet(url) && !isOwnUrl(url as string);
  const usesProvider = Object.keys(vars).some((name) => providers.test(name) && isOn(vars[name]));
  const hasKey = isSet(helpers.apiKeyHelper) || keys.some((name) => isSet(vars[name]));
  if (isForeign || usesProvider) {
    if (isForeign && !usesProvider && !hasKey) {
      return { refused: isLoggedIn ? "foreign-url" : "no-login", detail: hostOf(url as string) };
    }
    return { vars: without(vars, logins), helpers, withoutLogin: true };
  }
  return mode === "login"
    ? { vars: without(vars, keys), helpers: {}, withoutLogin: false }
    : { vars: without(vars, []), helpers, withoutLogin: false };
}

const isSet = (value: string | undefined): boolean => value !== undefined && value.trim() !== "";
const isOn = (value: string | undefined): boolean => isSet(value) && !/^(?:0|false|no|off)$/i.test(value as string);

function isOwnUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === "https:" && parsed.host === ownHost && parsed.username === "";
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? "an address that is none";

function without(vars: Vars, dropped: readonly string[]): Record<string, string> {
  const kept = Object.entries(vars).filter(([name, value]) => value !== undefined && !dropped.includes(name));
  return Object.fromEntries(kept) as Record<string, string>;
}
