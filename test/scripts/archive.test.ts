import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tarGz, zip } from "../../scripts/archive.ts";

const items = [
  { name: "folder/README.md", data: Buffer.from("read me"), isProgram: false },
  { name: "folder/throughline", data: Buffer.from("#!/bin/sh\necho hello\n"), isProgram: true },
];

test.each([
  ["tar.gz", tarGz, ["tar", "-xzf"]],
  ["zip", zip, ["unzip", "-q"]],
] as const)("%s: unpacks with its rights, and is the same whatever the time and the zone", (_name, pack, unpack) => {
  if (Bun.which(unpack[0]) === null) return;
  const folder = mkdtempSync(join(tmpdir(), "throughline-archive-"));
  try {
    const bytes = pack(items);
    const zone = process.env.TZ;
    process.env.TZ = "Asia/Tokyo";
    expect(Buffer.from(pack(items)).equals(bytes)).toBe(true);
    process.env.TZ = zone ?? "";
    writeFileSync(join(folder, "archive"), bytes);
    expect(Bun.spawnSync([...unpack, "archive"], { cwd: folder }).exitCode).toBe(0);
    expect(statSync(join(folder, "folder/throughline")).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, "folder/README.md")).mode & 0o777).toBe(0o644);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("tar has nothing to say about an archive, whatever its size", () => {
  for (let blocks = 0; blocks <= 20; blocks += 1) {
    const data = Buffer.alloc(blocks * 512 + (blocks % 2), "x");
    const archive = tarGz([{ name: "folder/file", data, isProgram: false }]);
    const { stdout, stderr } = Bun.spawnSync(["tar", "-tzf", "-"], { stdin: archive });
    expect(`${stdout}${stderr}`).toBe("folder/file\n");
  }
});
