import type { Event } from "./calls.ts";
import type { Fate } from "./history.ts";

/** The events' way from the clients to the hooks, on which some are lost, doubled, or overtaken by later ones. */
export class Post {
  readonly #arrive: (event: Event) => Promise<void>;
  readonly #held: { event: Event; behind: number }[] = [];

  constructor(arrive: (event: Event) => Promise<void>) {
    this.#arrive = arrive;
  }

  async send(event: Event, fate: Fate): Promise<void> {
    // What a session's own start waits for has arrived by then.
    if (event.kind === "start") await this.flush((held) => held.stay.session === event.stay.session);
    if (fate === "ok" || fate === "twice") await this.#arrive(event);
    if (fate === "twice") await this.#arrive(event);
    for (const held of this.#held) held.behind -= 1;
    await this.flush((_, behind) => behind <= 0);
    if (typeof fate === "number") this.#held.push({ event, behind: fate });
  }

  /** Lets those arrive that are due, in the order in which they were sent. */
  async flush(due: (event: Event, behind: number) => boolean): Promise<void> {
    const now = this.#held.filter(({ event, behind }) => due(event, behind));
    for (const one of now) this.#held.splice(this.#held.indexOf(one), 1);
    for (const { event } of now) await this.#arrive(event);
  }
}
