import { isLiteral, isPassword, isRandom } from "./values.ts";

/** A kind of secret, and how it looks. */
export interface Shape {
  /** What the mask says: `[masked: kind]`. */
  kind: string;
  /** One of these is in every text that holds such a secret. */
  hints: readonly string[];
  /** Where groups are named, `before` and `after` stay and `secret` goes; else all of it goes. Compiled when a hint is there. */
  pattern: () => RegExp;
  /** Whether what was found is one, given the secret. */
  isSecret?: (secret: string) => boolean;
}

const token = (kind: string, hints: readonly string[], pattern: () => RegExp): Shape => ({ kind, hints, pattern });

/**
 * The shapes that are masked. No pattern looks back over an unbounded run, so all of them together are linear in the text.
 * Prefixes and lengths are what the issuers document for the scanners of code hosts. A hint costs 0.01 ms for 50 KB, a pattern
 * 0.1 ms to compile where its hint is there.
 */
export const shapes: readonly Shape[] = [
  token(
    "private key",
    ["PRIVATE KEY"],
    () =>
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ),
  token("AWS key id", ["AKIA", "ASIA"], () => /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g),
  token("GitHub token", ["ghp_", "gho_", "ghu_", "ghs_"], () => /\bgh[pous]_[A-Za-z0-9]{36,255}/g),
  token("GitHub token", ["github_pat_"], () => /\bgithub_pat_[A-Za-z0-9_]{40,255}/g),
  token("GitLab token", ["glpat-"], () => /\bglpat-[A-Za-z0-9_-]{20,255}/g),
  token("Slack token", ["xox"], () => /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g),
  token("Slack token", ["xapp-"], () => /\bxapp-\d-[A-Za-z0-9-]{20,255}/g),
  token(
    "Slack webhook",
    ["hooks.slack.com/"],
    () => /hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,255}/g,
  ),
  token("Stripe key", ["k_live_", "k_test_"], () => /\b[prs]k_(?:live|test)_[A-Za-z0-9]{16,255}/g),
  token("Stripe key", ["whsec_"], () => /\bwhsec_[A-Za-z0-9+/=]{24,255}/g),
  token(
    "API key",
    ["sk-"],
    () => /\bsk-(?:(?:ant-[a-z0-9]{2,10}|proj|svcacct|admin|or-v1|lf)-[A-Za-z0-9_-]{20,255}|[A-Za-z0-9]{32,255})/g,
  ),
  token("Google key", ["AIza"], () => /\bAIza[0-9A-Za-z_-]{35}/g),
  token("Google token", ["ya29.", "GOCSPX-"], () => /\b(?:ya29\.[0-9A-Za-z_-]{20,1000}|GOCSPX-[0-9A-Za-z_-]{20,60})/g),
  token("npm token", ["npm_"], () => /\bnpm_[A-Za-z0-9]{36}/g),
  token("PyPI token", ["pypi-"], () => /\bpypi-[A-Za-z0-9_-]{50,500}/g),
  token("Hugging Face token", ["hf_"], () => /\bhf_[A-Za-z0-9]{30,60}/g),
  token("SendGrid key", ["SG."], () => /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}/g),
  token("Telegram token", [":AA"], () => /\b\d{8,10}:AA[A-Za-z0-9_-]{33}/g),
  token("token", ["dop_v1_"], () => /\bdop_v1_[a-f0-9]{64}/g),
  token("token", ["shpat_"], () => /\bshpat_[a-fA-F0-9]{32}/g),
  token("token", ["dapi"], () => /\bdapi[a-f0-9]{32}/g),
  token("token", ["lin_api_", "sbp_"], () => /\b(?:lin_api|sbp)_[A-Za-z0-9_-]{30,255}/g),
  token("JWT", ["eyJ"], () => /\beyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,2000}/g),
  {
    kind: "password",
    hints: ["://"],
    pattern: () => /(?<before>:\/\/[^\s:/@"'\\<>]{0,100}:)(?<secret>[^\s/@"'\\<>]{3,200})(?<after>@)/g,
    isSecret: isLiteral,
  },
  {
    kind: "authorization",
    hints: ["uthorization"],
    pattern: () =>
      /(?<before>authorization["'\\]{0,2}[ \t]{0,3}[:=][ \t]{0,3}[\\"']{0,2}(?:bearer|basic|token|apikey)[ \t]{1,3})(?<secret>[A-Za-z0-9._~+/=-]{8,4000})/gi,
    isSecret: isLiteral,
  },
  {
    kind: "token",
    hints: ["?key=", "&key=", "sig=", "ignature="],
    pattern: () =>
      /(?<before>[?&](?:key|sig|signature|x-amz-signature|x-goog-signature)=)(?<secret>[^&\s"'\\<>]{16,2000})/gi,
    isSecret: isRandom,
  },
  {
    kind: "password",
    hints: ["PASS", "PWD"],
    pattern: () =>
      /(?<before>(?:PASSWORD|PASSWD|PASSPHRASE|PASS|PWD)(?:_[A-Z0-9_]{1,40})?[ \t]{0,3}=[ \t]{0,3}(?:\\?["'])?)(?<secret>[^\s"'\\;,]{4,200})/g,
    isSecret: isPassword,
  },
  {
    kind: "secret",
    hints: ["SECRET", "TOKEN", "KEY", "CREDENTIAL"],
    pattern: () =>
      /(?<before>(?:SECRET|TOKEN|API_?KEY|ACCESS_?KEY|ACCOUNT_?KEY|PRIVATE_?KEY|CREDENTIALS?|_KEY)(?:_[A-Z0-9_]{1,40})?[ \t]{0,3}=[ \t]{0,3}(?:\\?["'])?)(?<secret>[^\s"'\\;,]{8,2000})/g,
    isSecret: isRandom,
  },
  {
    kind: "password",
    hints: ["assw", "assphrase", "wd="],
    pattern: () =>
      /(?<before>(?:password|passwd|passphrase|pwd)\\?["']?[ \t]{0,3}[:=][ \t]{0,3}(?:\\?["'`]))(?<secret>[^\s"'`\\]{4,200})/gi,
    isSecret: isPassword,
  },
  {
    kind: "password",
    hints: ["assw", "wd="],
    pattern: () => /(?<before>(?:password|passwd|pwd)(?:=|:[ \t]{1,3}))(?<secret>[^\s"'`\\;,&]{6,200})/gi,
    isSecret: (value) => isPassword(value) && isRandom(value),
  },
  {
    kind: "secret",
    hints: ["oken", "ecret", "_key", "Key", "pikey", "pi-key"],
    pattern: () =>
      /(?<before>(?:token|secret|api[_-]?key|access_?key|account_?key|private_?key|encryption_?key|signing_?key|secret_?access_?key)\\?["']?[ \t]{0,3}[:=][ \t]{0,3}(?:\\?["'`])?)(?<secret>[^\s"'`\\;,<>(){}[\]]{12,2000})/gi,
    isSecret: isRandom,
  },
];
