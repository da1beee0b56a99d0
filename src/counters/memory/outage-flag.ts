/** Maximum threads of one process. */
const MAX_THREADS = 64;

/**
 * Records in shared memory which threads of a process have lost a shared dependency, so that the process
 * reports one outage and not one for each thread.
 */
export class OutageFlag {
  /** First the number of threads that have lost it, then a word for each thread, which is 1 if it has. */
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

  /**
   * True if this begins or ends the outage of the process: the first thread has lost it, or the last one has
   * recovered.
   */
  set(thread: number, isAway: boolean): boolean {
    const before = Atomics.exchange(this.#words, 1 + (thread % MAX_THREADS), Number(isAway));
    if (before === Number(isAway)) return false;
    const away = Atomics.add(this.#words, 0, isAway ? 1 : -1);
    return away === (isAway ? 0 : 1);
  }
}
