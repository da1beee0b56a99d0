/** Parts that the interval is divided into; the streams of one part beat together. */
const SLOTS = 15;

export interface Beating {
  /** Called once in every interval. */
  beat(): void;
}

/** Beats for thousands of streams with one timer, each in its turn of the interval. */
export class Heartbeats {
  readonly #slots: readonly Set<Beating>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #timer: NodeJS.Timeout;
  #turn = 0;

  constructor({ intervalMs }: { intervalMs: number }) {
    this.#timer = setInterval(() => this.#next(), intervalMs / SLOTS).unref();
  }

  /** Begins to beat, first after one whole interval, until the returned function is called. */
  add(beating: Beating): () => void {
    // The slot that had its turn last is the one whose next turn is farthest away.
    const slot = this.#slots[this.#turn]!;
    slot.add(beating);
    return () => slot.delete(beating);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #next(): void {
    this.#turn = (this.#turn + 1) % SLOTS;
    for (const beating of this.#slots[this.#turn]!) beating.beat();
  }
}
