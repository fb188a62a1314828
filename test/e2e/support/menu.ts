import type { Window } from "./window.ts";

/** How long a menu may take to follow a key: one that has just appeared lets some fall. */
const patience = 1_000;

/** Waits for the menu that shows `sign` and moves its mark to the option that holds `text`. */
export async function mark(window: Window, sign: string, text: string, key: "Up" | "Down" = "Down"): Promise<void> {
  await window.waitFor(sign);
  await pressUntil(window, key, `mark at "${text}"`, () => markedIn(window)?.includes(text));
  await window.rest();
}

/** Takes the marked option. */
export async function take(window: Window): Promise<void> {
  await window.rest();
  const before = markedIn(window);
  await pressUntil(window, "Enter", `leave of "${before}"`, () => markedIn(window) !== before);
}

/** Marks an option of the menu that shows `sign` and takes it. */
export async function choose(window: Window, sign: string, text: string, key: "Up" | "Down" = "Down"): Promise<void> {
  await mark(window, sign, text, key);
  await take(window);
}

/** Goes back to before the prompt that begins with `text`, by that way of the menu; some entries have none to choose. */
export async function rewind(window: Window, text: string, way?: string): Promise<void> {
  await window.settle();
  await window.submit("/rewind");
  await choose(window, "Enter to continue", text, "Up");
  if (way !== undefined) await choose(window, "Never mind", way);
}

// What stands above a menu may be marked as well: a prompt of the person is.
function markedIn(window: Window): string | undefined {
  return window
    .screen()
    .split("\n")
    .findLast((line) => /^\s*❯/.test(line));
}

async function pressUntil(
  window: Window,
  key: "Up" | "Down" | "Enter",
  what: string,
  isDone: () => boolean | undefined,
): Promise<void> {
  let pressed = Number.NEGATIVE_INFINITY;
  let before: string | undefined;
  await window.until(what, () => {
    if (isDone()) return true;
    const marked = markedIn(window);
    if (marked === before && performance.now() - pressed < patience) return false;
    [pressed, before] = [performance.now(), marked];
    window.press(key);
    return false;
  });
}
