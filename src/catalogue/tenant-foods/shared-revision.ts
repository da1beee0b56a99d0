/**
 * One number that all API threads of a process share: the latest revision that any of them knows of. Reading it
 * costs nanoseconds, so every request can afford to ask whether it is up to date.
 */
export class SharedRevision {
  readonly #cell: Int32Array;

  constructor({ memory }: { memory: SharedArrayBuffer }) {
    this.#cell = new Int32Array(memory, 0, 1);
  }

  /** The memory to hand to the other threads. */
  static createMemory(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  get latest(): number {
    return Atomics.load(this.#cell, 0);
  }

  /** Whatever the order in which threads come, it never goes back by this. */
  advanceTo(revision: number): void {
    let seen = this.latest;
    while (seen < revision) {
      const found = Atomics.compareExchange(this.#cell, 0, seen, revision);
      if (found === seen) return;
      seen = found;
    }
  }

  /** Goes back to `revision`, after which the store has lost everything, unless the cell moved on from `latest` meanwhile. */
  setBack(latest: number, revision: number): void {
    if (revision < latest) Atomics.compareExchange(this.#cell, 0, latest, revision);
  }
}
