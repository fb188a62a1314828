import { test } from "bun:test";
import { requestAbout } from "./support/api.ts";
import { versions } from "./support/client.ts";
import { expectAbsent, expectInFull, restoredIn } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";
import { turnOf, turnsOf } from "./support/talk.ts";

scenarios("windows", () => {
  test.each([versions.current, versions.older])(
    "client %s: of two windows in one project each gets back its own talk",
    async (version) => {
      await using stage = await setStage(version);
      const left = await stage.open();
      const right = await stage.open();
      const [red, blue] = [turnsOf("red", 1, 3), turnsOf("blue", 1, 3)];
      for (const index of red.keys()) {
        await left.prompt(turnOf("red", index + 1).prompt);
        await right.prompt(turnOf("blue", index + 1).prompt);
      }

      await left.clear();
      await left.prompt(turnOf("green", 1).prompt);
      const toLeft = restoredIn(requestAbout(stage.api, "green-01"));
      expectInFull(toLeft, red);
      expectAbsent(toLeft, blue);

      await right.clear();
      await right.prompt(turnOf("white", 1).prompt);
      const toRight = restoredIn(requestAbout(stage.api, "white-01"));
      expectInFull(toRight, blue);
      expectAbsent(toRight, [...red, turnOf("green", 1)]);
    },
  );
});
