/** Streams that are looked at together; one timer serves them all. */
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

  /** The first beat comes one whole interval later. Until the answer is called. */
  add(beating: Beating): () => void {
    // The slot that had its turn last is the last to have it again.
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
