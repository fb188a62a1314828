import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requestAbout } from "./support/api.ts";
import { runThroughline } from "./support/plugin.ts";
import { textOf } from "./support/request.ts";
import { restoredIn } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";

const token = `glpat${"-"}aB3dE5fG7hJ9kL1mN3pQ`;
const pin = "pin 4711-0815";

scenarios("secrets", () => {
  test("a token that a tool printed and private words are neither stored nor told after /clear", async () => {
    await using stage = await setStage();
    const { project, folder } = stage.home;
    const file = join(project, "app.env");
    writeFileSync(file, `PORT=80\nGITLAB_TOKEN=${token}\n`);
    const window = await stage.open();
    const call = `CALL:Read ${JSON.stringify({ file_path: file })}`;
    await window.prompt(`red-01: my <private>${pin}</private> opens it, what is in the file? ${call}`);
    expect(textOf(requestAbout(stage.api, "red-01"))).toContain(pin);
    await window.clear();
    await window.prompt("blue-01: go on");
    const restored = restoredIn(requestAbout(stage.api, "blue-01"));
    expect(restored).toContain("red-01: my [private] opens it");
    const exported = await runThroughline(stage.home, ["export", "--all"]);
    expect(exported).toContain("GITLAB_TOKEN=[masked: GitLab token]");
    const data = join(folder, ".throughline");
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")).join("\n");
    for (const secret of [token, pin]) {
      expect(restored).not.toContain(secret);
      expect(exported).not.toContain(secret);
      expect(bytes).not.toContain(secret);
    }
  });
});
