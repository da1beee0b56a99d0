/**
 * One number that all API threads of a process share: the latest revision that any of them knows of. Reading it
 * costs nanoseconds, so every request can afford to ask whether it is up to date.
 */
export class RevisionCell {
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

  /** The store has lost what came after `revision`; nothing happens where the cell does not show `told` any more. */
  setBack(told: number, revision: number): void {
    if (revision < told) Atomics.compareExchange(this.#cell, 0, told, revision);
  }
}
