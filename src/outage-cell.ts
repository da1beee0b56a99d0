/** Threads of one process. */
const MAX_THREADS = 64;

/**
 * Which threads of a process have lost something that all of them use, in memory that the threads share: an outage is
 * the process's, and told once.
 */
export class OutageCell {
  /** How many have, then for each thread whether it has. */
  readonly #words: Int32Array;

  constructor({ memory }: { memory: SharedArrayBuffer }) {
    this.#words = new Int32Array(memory);
  }

  static createMemory(): SharedArrayBuffer {
    return new SharedArrayBuffer((1 + MAX_THREADS) * Int32Array.BYTES_PER_ELEMENT);
  }

  get isOutage(): boolean {
    return Atomics.load(this.#words, 0) > 0;
  }

  /** Whether an outage began or ended by it: the first thread lost it, or the last one has it again. */
  set(thread: number, isAway: boolean): boolean {
    const before = Atomics.exchange(this.#words, 1 + (thread % MAX_THREADS), Number(isAway));
    if (before === Number(isAway)) return false;
    const away = Atomics.add(this.#words, 0, isAway ? 1 : -1);
    return away === (isAway ? 0 : 1);
  }
}
