import { expect, test } from "bun:test";
import { mark, take } from "./support/menu.ts";
import { runThroughline } from "./support/plugin.ts";
import { setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";

scenarios("status", () => {
  test("a live session: idle, waiting for the person, idle again, with what /clear would keep", async () => {
    await using stage = await setStage();
    const look = async () => JSON.parse(await runThroughline(stage.home, ["status", "--all", "--json"]));
    expect(await look()).toEqual([]);
    const window = await stage.open();
    expect(await look()).toMatchObject([{ session: window.sessionId(), state: "idle", turns: 0 }]);
    await window.submit("red-01: write it. BASH:touch made");
    await mark(window, "Do you want to proceed?", "1. Yes");
    expect(await look()).toMatchObject([{ state: "waiting", waiting_for: "permission prompt" }]);
    await window.during(() => take(window));
    await window.prompt("red-02: and more");
    const [row] = await look();
    expect(row).toMatchObject({ state: "idle", waiting_for: null });
    expect(row.turns).toBeWithin(1, 3);
    expect(row.context_tokens).toBeGreaterThan(1_000);
    expect(row.clear_keeps).toBeGreaterThan(100);
  });
});
