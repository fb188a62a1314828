/** Waits until `probe` gives a value; on timeout throws with what was awaited and what `describe` shows then. */
export async function until<T>(
  what: string,
  probe: () => T | undefined | false | null,
  { timeout = 30_000, describe = () => "" }: { timeout?: number; describe?: () => string } = {},
): Promise<T> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const value = probe();
    if (value !== undefined && value !== false && value !== null) return value;
    if (performance.now() > deadline) throw new Error(`no ${what} within ${timeout} ms\n${describe()}`);
    await Bun.sleep(20);
  }
}
