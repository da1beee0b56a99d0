/** A small seeded generator (mulberry32, Tommy Ettinger, public domain): the same seed, the same items everywhere. */
export class Random {
  #state: number;

  constructor(ports: { readonly seed: number }) {
    this.#state = Math.imul(ports.seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** At least 0, less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** A position that is more often near the beginning, as popular things are. */
  skewed(limit: number): number {
    return Math.floor(limit * this.next() ** 3);
  }
}
