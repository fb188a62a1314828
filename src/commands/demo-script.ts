/** One turn of the demonstration: what is asked, the tool call it takes, what the tool prints, what is answered. */
export type Scene = readonly [
  prompt: string,
  tool: string,
  input: Record<string, string>,
  output: string,
  answer: string,
];

/** A long build log, as tools print it: what fills a context and is needed once. */
const log = (name: string, lines: number, end: string): string =>
  `${Array.from({ length: lines }, (_, n) => `\u001b[32m   Compiling\u001b[0m ${name}-${n} v0.${n % 10}.${n % 7} (${(n * 37) % 900} ms)`).join("\n")}\n${end}`;

const source = (name: string, lines: number): string =>
  Array.from(
    { length: lines },
    (_, n) => `${String(n + 1).padStart(6)}→    let ${name}_${n} = store.fetch(Key::from(${n * 17}))?;`,
  ).join("\n");

/** A morning's work on a small web service. */
export const script: readonly Scene[] = [
  [
    "Why does the build fail since yesterday?",
    "Bash",
    { command: "cargo build 2>&1", description: "Build" },
    log(
      "links",
      400,
      "error[E0308]: mismatched types\n  --> src/session.rs:142:17\n   expected `Option<Instant>`, found `Instant`",
    ),
    "`last_seen` became an `Option<Instant>` in yesterday's refactoring, but `src/session.rs:142` still assigns a bare `Instant`:\n\n```rust\nself.last_seen = Some(Instant::now());\n```\n\nShall I apply it?",
  ],
  [
    "Yes, and add a test.",
    "Edit",
    {
      file_path: "src/session.rs",
      old_string: "self.last_seen = Instant::now();",
      new_string: "self.last_seen = Some(Instant::now());",
    },
    "The file src/session.rs has been updated.",
    "Done. `touch_sets_last_seen` checks that `touch()` leaves `Some` behind.",
  ],
  [
    "Run all the tests.",
    "Bash",
    { command: "cargo test", description: "Test" },
    log("test", 212, "test result: ok. 212 passed; 0 failed"),
    "All 212 pass.",
  ],
  [
    "Which idle timeout do we have, and where?",
    "Grep",
    { pattern: "IDLE_TIMEOUT", path: "src" },
    "src/config.rs:18:pub const IDLE_TIMEOUT: Duration = Duration::from_secs(900);",
    "900 seconds, `IDLE_TIMEOUT` in `src/config.rs:18`.",
  ],
  [
    "People are logged out during long imports. Make it an hour.",
    "Edit",
    { file_path: "src/config.rs", old_string: "from_secs(900)", new_string: "from_secs(3600)" },
    "The file src/config.rs has been updated.",
    "`IDLE_TIMEOUT` is 3,600 seconds now. The lock table keeps its own 900, so stale locks still go in a quarter of an hour.",
  ],
  [
    "How does a short link become a redirect?",
    "Read",
    { file_path: "src/redirect.rs" },
    source("row", 180),
    "`redirect.rs` looks the code up in the cache, then in SQLite, and answers 302. A miss is cached for a minute, so a link that is made right after a miss is invisible for up to 60 seconds.",
  ],
  [
    "That minute is the bug from ticket 81. What would you do?",
    "Bash",
    { command: "git log --oneline -S negative_ttl", description: "History" },
    "a81c2f0 cache: remember misses for a minute\n77d01be cache: first version",
    "Drop a cached miss when its code is created. Two lines in `create_link`; the miss cache itself earns its keep (commit a81c2f0 came after a crawler).",
  ],
  [
    "Do that.",
    "Edit",
    {
      file_path: "src/create.rs",
      old_string: "store.insert(&link)?;",
      new_string: "store.insert(&link)?;\n    cache.forget_miss(&link.code);",
    },
    "The file src/create.rs has been updated.",
    "Done, with a test that asks for a code, creates it, and asks again.",
  ],
  [
    "日本語のパスを含む URL も短縮できますか？",
    "Bash",
    { command: "curl -s -XPOST localhost:8080/links -d 'url=https://example.jp/設定/認証'", description: "Try" },
    '{"code":"k3x9","url":"https://example.jp/%E8%A8%AD%E5%AE%9A/%E8%AA%8D%E8%A8%BC"}',
    "はい。パスは UTF-8 でパーセントエンコードして保存し、リダイレクトも正しく動きました（コード `k3x9`）。",
  ],
  [
    "Good. Add that as an integration test.",
    "Write",
    { file_path: "tests/unicode.rs", content: "#[test]\nfn japanese_paths_survive() { /* … */ }" },
    "File created successfully at: tests/unicode.rs",
    "`tests/unicode.rs` posts the Japanese URL and follows the redirect.",
  ],
  [
    "What is slow in the import?",
    "Bash",
    { command: "perf report --stdio | head -300", description: "Profile" },
    log("perf", 300, "61.02%  import  sqlite3_step"),
    "61 % of the time is `sqlite3_step`: every row is its own transaction. One transaction per 1,000 rows should be about 40 times faster.",
  ],
  [
    "Try it.",
    "Edit",
    { file_path: "src/import.rs", old_string: "for row in rows", new_string: "for chunk in rows.chunks(1_000)" },
    "The file src/import.rs has been updated.",
    "100,000 rows took 41 s before and 0.9 s now.",
  ],
  [
    "And when it is interrupted in the middle?",
    "Read",
    { file_path: "src/import.rs" },
    source("chunk", 120),
    "Whole chunks are kept, the open one is rolled back, and the next run skips what is there by its code. Nothing is half-written.",
  ],
  [
    "Write that into the README.",
    "Edit",
    {
      file_path: "README.md",
      old_string: "## Import",
      new_string: "## Import\n\nInterrupted imports can be run again.",
    },
    "The file README.md has been updated.",
    "Added under Import, two sentences.",
  ],
  [
    "Which endpoints have no rate limit?",
    "Grep",
    { pattern: "rate_limit", path: "src/routes.rs" },
    "12: create\n19: stats",
    "`GET /:code` and `GET /health`. The redirect should have one; health should not.",
  ],
  [
    "What limit would you choose for the redirect?",
    "Bash",
    { command: "awk '{print $1}' access.log | sort | uniq -c | sort -rn | head -200", description: "Count" },
    log("client", 200, "   9121 203.0.113.7"),
    "The busiest honest client makes 40 requests a second at the peak, so 100 a second per address, with a burst of 200. That would have stopped only 203.0.113.7.",
  ],
  [
    "Agreed: 100 a second, burst 200.",
    "Edit",
    {
      file_path: "src/routes.rs",
      old_string: "get(redirect)",
      new_string: "get(redirect).layer(rate_limit(100, 200))",
    },
    "The file src/routes.rs has been updated.",
    "Set. Above it the answer is 429 with `Retry-After: 1`.",
  ],
  [
    "Is the statistics page still readable on a phone?",
    "Bash",
    { command: "node shots.mjs --width 390", description: "Screenshots" },
    "wrote shots/stats-390.png",
    "The table runs 60 pixels out of the screen. Stacking each row below 480 pixels fixes it.",
  ],
  [
    "Do that, and dark mode too.",
    "Edit",
    {
      file_path: "assets/stats.css",
      old_string: "table {",
      new_string: "@media (max-width: 480px) { tr { display: block } }\ntable {",
    },
    "The file assets/stats.css has been updated.",
    "Both done. Dark mode follows the system; the chart colours have enough contrast in either (7.1 and 6.8 to 1).",
  ],
  [
    "What did we decide about the locks, by the way?",
    "Grep",
    { pattern: "LOCK_TIMEOUT", path: "src" },
    "src/locks.rs:9:const LOCK_TIMEOUT: u64 = 900;",
    "They keep 900 seconds: only sessions went to an hour.",
  ],
  [
    "Check the container's size.",
    "Bash",
    { command: "docker build . && docker images", description: "Build image" },
    log("layer", 260, "links  latest  148MB"),
    "148 MB, of which 96 are the build tools in the last layer. A second stage brings it to 31 MB.",
  ],
  [
    "Go ahead.",
    "Write",
    { file_path: "Dockerfile", content: "FROM rust AS build\n…\nFROM gcr.io/distroless/cc" },
    "File created successfully at: Dockerfile",
    "31 MB, and it starts as a user without rights.",
  ],
  [
    "Tag it 1.4.0 and write the changelog.",
    "Edit",
    { file_path: "CHANGELOG.md", old_string: "# Changelog", new_string: "# Changelog\n\n## 1.4.0" },
    "The file CHANGELOG.md has been updated.",
    "1.4.0: idle timeout of an hour, new links visible at once, imports 40 times faster, rate limit on redirects, a smaller image.",
  ],
  [
    "What is left before we release?",
    "Bash",
    { command: "cargo clippy --all-targets 2>&1", description: "Lint" },
    log("clippy", 150, "warning: unused variable: `started`\n  --> src/import.rs:88:9"),
    "One warning (`src/import.rs:88`) and the migration note: who upgrades from 1.2 must run `links migrate` once.",
  ],
  [
    "Fix the warning. We write the migration note after lunch.",
    "Edit",
    { file_path: "src/import.rs", old_string: "let started =", new_string: "let _started =" },
    "The file src/import.rs has been updated.",
    "Fixed; clippy is quiet. Open: the migration note for people on 1.2 (`links migrate`, once, before the first start).",
  ],
];
