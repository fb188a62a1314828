import { join } from "node:path";

/** The root of the repository, whatever the current folder is. */
export const root = join(import.meta.dir, "../../..");

/** What a build leaves: the plugin's marketplace is the root itself, the one with the fault switch lies in `dist`. */
export const builds = { plugin: root, faults: join(root, "dist/faults") };

/** A folder for what tests fetch and write, ignored by git and not a temporary folder, where nothing is recorded. */
export const cache = join(root, ".cache");
