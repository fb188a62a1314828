import { seeded } from "../fixtures/random.ts";

/** A text, and the secret in it; none where nothing may be masked. */
export interface Sample {
  name: string;
  text: string;
  secret?: string;
}

const lower = [..."abcdefghijklmnopqrstuvwxyz"];
const digits = [..."0123456789"];
const hex = [..."0123456789abcdef"];
const upper = lower.map((letter) => letter.toUpperCase());
const word = [...lower, ...upper, ...digits];

/** Keys of every shape, drawn anew for each seed, in the places where they stand. Put together here: none is anybody's. */
export function secretSamples(seed: number): Sample[] {
  const random = seeded(seed);
  const of = (letters: readonly string[], count: number): string => random.text(letters, count);
  // Letters and digits in turn: what is drawn must not look like a word by chance.
  const mixed = (count: number): string =>
    `${of(lower, 1)}${of(digits, 1)}${of(upper, 1)}${of(digits, 1)}${of(word, count - 4)}`;
  const tokens: [string, string][] = [
    ["AWS", `AKIA${of([...upper, ...digits], 16)}`],
    ["GitHub", `ghp${"_"}${of(word, 36)}`],
    ["GitHub app", `ghs${"_"}${of(word, 36)}`],
    ["GitHub fine-grained", `github${"_pat_"}${of(word, 22)}_${of(word, 59)}`],
    ["GitLab", `glpat${"-"}${of(word, 20)}`],
    ["Slack", `xoxb${"-"}${of(digits, 12)}-${of(digits, 12)}-${of(word, 24)}`],
    ["Stripe", `sk${"_live_"}${of(word, 24)}`],
    ["Anthropic", `sk${"-ant-"}api03-${of(word, 80)}`],
    ["OpenAI", `sk${"-proj-"}${of(word, 48)}`],
    ["OpenAI, old", `sk${"-"}${of(word, 48)}`],
    ["Google", `AIza${of(word, 35)}`],
    ["npm", `npm${"_"}${of(word, 36)}`],
    ["PyPI", `pypi${"-"}${of(word, 120)}`],
    ["Hugging Face", `hf${"_"}${of(word, 34)}`],
    ["SendGrid", `SG${"."}${of(word, 22)}.${of(word, 43)}`],
    ["Telegram", `${of(digits, 9)}:AA${of(word, 33)}`],
    ["DigitalOcean", `dop${"_v1_"}${of(hex, 64)}`],
    ["JWT", `eyJ${of(word, 30)}.eyJ${of(word, 60)}.${of(word, 43)}`],
  ];
  const key = mixed(32);
  const password = `${mixed(10)}!`;
  const places: [string, string, string][] = [
    [".env", `NODE_ENV=test\nDATABASE_PASSWORD=${password}\n`, password],
    [".env, a key", `PORT=80\nSTRIPE_API_KEY=${key}\nDEBUG=1`, key],
    [".env, exported and quoted", `export SESSION_SECRET="${key}"`, key],
    [".env through Read", `     1→API_TOKEN=${key}\n     2→PORT=80`, key],
    [".env written by a tool", JSON.stringify({ content: `A=1\nAUTH_TOKEN=${key}\n` }), key],
    ["JSON", `{"user": "me", "password": "${password}"}`, password],
    ["JSON, a key", `{"apiKey": "${key}", "n": 1}`, key],
    ["JSON in JSON", JSON.stringify({ input: `{"client_secret":"${key}"}` }), key],
    ["YAML", `db:\n  password: ${password}\n  port: 5432`, password],
    ["AWS credentials", `aws_secret_access_key = ${mixed(40)}`, ""],
    ["Azure", `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${key}==;`, key],
    ["PostgreSQL", `postgres://app:${password}@db.internal:5432/app`, password],
    ["MongoDB", `mongodb+srv://root:${password}@cluster0.example.net`, password],
    ["Redis", `redis://:${password}@127.0.0.1:6379`, password],
    ["URL", `https://me:${password}@git.example.com/x.git`, password],
    ["a header", `curl -H "Authorization: Bearer ${key}" https://api.example.com`, key],
    ["a header in JSON", JSON.stringify({ command: `curl -H 'authorization: Basic ${key}'` }), key],
    ["a query", `https://x.example.com/cb?state=1&access_token=${key}&n=1`, key],
    [
      "a private key",
      `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${of(word, 64)}\n${key}\n-----END RSA ${"PRIVATE"} KEY-----`,
      key,
    ],
    ["a private key that is cut off", `-----BEGIN OPENSSH ${"PRIVATE"} KEY-----\n${of(word, 64)}\n${key}`, key],
    [
      "a private key in JSON",
      JSON.stringify({ key: `-----BEGIN ${"PRIVATE"} KEY-----\n${key}\n-----END ${"PRIVATE"} KEY-----\n` }),
      key,
    ],
  ];
  return [
    ...tokens.flatMap(([name, secret]) => [
      { name, text: `the key is ${secret}, they say`, secret },
      { name: `${name}, in Japanese`, text: `鍵は「${secret}」です。`, secret },
      { name: `${name}, in JSON`, text: JSON.stringify({ command: `deploy --with "${secret}"\n` }), secret },
    ]),
    ...places.map(([name, text, secret]) => ({ name, text, secret: secret || (text.split(" = ")[1] as string) })),
  ];
}

/** What must stay as it is: what tools print all day. */
export function innocentSamples(seed: number): Sample[] {
  const random = seeded(seed);
  const of = (letters: readonly string[], count: number): string => random.text(letters, count);
  return [
    ["a commit", `commit ${of(hex, 40)}\nAuthor: someone\n`],
    ["a short one", `${of(hex, 7)} fix: the parser\n`],
    ["a uuid", `${of(hex, 8)}-${of(hex, 4)}-4${of(hex, 3)}-a${of(hex, 3)}-${of(hex, 12)}`],
    ["an integrity hash", `"integrity": "sha512-${of(word, 86)}=="`],
    ["a digest", `sha256:${of(hex, 64)}`],
    ["an image", `data:image/png;base64,${of(word, 400)}`],
    ["a type", `interface Options { token: string; password?: string; apiKey: string | undefined }`],
    ["code", `const token = await getToken(request); const secret = process.env.SESSION_SECRET;`],
    ["more code", `password: config.database.password, api_key: settings.api_key, token=self.token`],
    ["a shell variable", `curl -H "Authorization: Bearer $API_TOKEN" -u "me:\${PASSWORD}"`],
    ["a template", `API_KEY=your-api-key-here\nSECRET=<your secret>\nTOKEN=xxxxxxxx\nPASSWORD=changeme`],
    ["limits", `MAX_TOKENS=4096\nmax_tokens: 200000\nTOKEN_LIMIT=100000\n"input_tokens": 123456`],
    ["keys that are none", `PRIMARY_KEY=id\nSORT_KEY=created_at\nforeign key (user_id)\n"key": "userName"`],
    ["keys in code", `localStorage.getItem("sessionKey"); sort_key = "created_at_2024"; keyboard: key=Enter`],
    ["a URL", `http://localhost:3000/path@2x.png https://example.com/a:b@c ssh://git@example.com:22/x`],
    ["Japanese", `トークンを更新しました。パスワードは環境変数 DB_PASSWORD から読みます。鍵の設定: password は必須`],
    ["paths", `src/auth/token.ts\nlib/secret_store.py\n/home/me/.ssh/known_hosts\nsk-learn-2024-tutorial`],
    ["a test", `expect(user.password).toBe(hash); it("rejects a bad token", () => {});`],
    ["a table", `| token | password | secret |\n| ----- | -------- | ------ |\n| no    | yes      | no     |`],
    ["minified", `!function(e,t){var n=e.token||t.key;return n?o(n):null}(a,b);var key=12345678`],
    ["a version", `token@1.2.3 secret-manager@10.20.30 password-hash@2.0.0-beta.1`],
    ["a lock file", `  key: node_modules/@babel/core-7.24.0-linux-x64\n  cache-key: linux-x64-node-20`],
    ["CSS", `--token-color-primary: #a1b2c3; --secret: var(--x);`],
    ["a message", `Authorization: required; token expired at 2026-11-30T14:23:05Z`],
    ["SQL", `create table tokens (token text primary key, secret text not null, password_hash text)`],
    ["a public key", `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${of(word, 40)} me@host\n-----BEGIN PUBLIC KEY-----`],
  ].map(([name, text]) => ({ name: name as string, text: text as string }));
}
