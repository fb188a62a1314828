import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { perform, replaceFile } from "../../src/install/perform.ts";
import { tempHome } from "../support/home.ts";

test("a program is linked, not copied, where it is the person's own alone", async () => {
  using home = tempHome();
  const [from, to] = [join(home.folder, "downloaded"), join(home.folder, "new/bin/throughline")];
  writeFileSync(from, "program", { mode: 0o644 });
  await perform(home.env(), [{ do: "place", from, to, note: "" }]);
  expect(statSync(to).ino).toBe(statSync(from).ino);
  expect(statSync(to).mode & 0o777).toBe(0o755);
});

test("a program that others may write is copied", async () => {
  using home = tempHome();
  const [from, to] = [join(home.folder, "downloaded"), join(home.folder, "bin/throughline")];
  writeFileSync(from, "program");
  chmodSync(from, 0o777);
  await perform(home.env(), [{ do: "place", from, to, note: "" }]);
  expect(statSync(to).ino).not.toBe(statSync(from).ino);
  expect(readFileSync(to, "utf8")).toBe("program");
});

test("a program that runs keeps its file, and the name leads to the new one", async () => {
  using home = tempHome();
  const [from, to] = [join(home.folder, "new"), join(home.folder, "bin/throughline")];
  await perform(home.env(), [{ do: "write", path: to, text: "old" }]);
  const old = statSync(to).ino;
  writeFileSync(from, "new", { mode: 0o700 });
  await perform(home.env(), [{ do: "place", from, to, note: "" }]);
  expect(statSync(to).ino).not.toBe(old);
  expect(readdirSync(join(home.folder, "bin"))).toEqual(["throughline"]);
});

test("a file that the system holds on to is moved aside", () => {
  using home = tempHome();
  const [draft, path] = [join(home.folder, "draft"), join(home.folder, "throughline.exe")];
  writeFileSync(draft, "new");
  writeFileSync(path, "old");
  const locked = (from: string, to: string): void => {
    if (to === path && existsSync(path)) throw Object.assign(new Error("locked"), { code: "EPERM" });
    renameSync(from, to);
  };
  replaceFile(draft, path, 7, locked as typeof renameSync);
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(readFileSync(join(home.folder, ".throughline-7.old.exe"), "utf8")).toBe("old");
});

test("a link inside our folder is relative, one elsewhere is not", async () => {
  using home = tempHome();
  const target = join(home.folder, "root/bin/throughline");
  const [inside, outside] = [
    join(home.folder, "root/plugin/bin/throughline"),
    join(home.folder, ".local/bin/throughline"),
  ];
  await perform(home.env(), [
    { do: "write", path: target, text: "" },
    { do: "link", path: inside, target },
    { do: "link", path: outside, target },
  ]);
  expect(lstatSync(inside).isSymbolicLink()).toBe(true);
  renameSync(join(home.folder, "root"), join(home.folder, "moved"));
  expect(existsSync(join(home.folder, "moved/plugin/bin/throughline"))).toBe(true);
  expect(existsSync(outside)).toBe(false);
});

test("after a refusal the client is asked nothing more, and all of it is returned", async () => {
  using home = tempHome();
  const refuse = ["/bin/sh", "-c", "echo no such plugin >&2; exit 1"];
  const refusals = await perform(home.env(), [
    { do: "run", command: refuse, cwd: home.folder },
    { do: "run", command: ["/bin/sh", "-c", `touch ${join(home.folder, "asked")}`], cwd: home.folder },
  ]);
  expect(refusals.map(({ said }) => said)).toEqual(["no such plugin", ""]);
  expect(existsSync(join(home.folder, "asked"))).toBe(false);
});
