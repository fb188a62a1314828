import { beforeAll, describe } from "bun:test";
import { installClient, unsupported, versions } from "./client.ts";

/** A group of scenarios with the real client; skipped, with the reason in its title, where there is none to drive. */
export function scenarios(title: string, body: () => void): void {
  const name = unsupported === undefined ? title : `${title} (skipped: ${unsupported})`;
  describe.skipIf(unsupported !== undefined)(name, () => {
    beforeAll(async () => {
      for (const version of Object.values(versions)) await installClient(version);
    }, 900_000);
    body();
  });
}
