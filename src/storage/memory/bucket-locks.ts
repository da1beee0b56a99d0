const FREE = 0;
const HELD = 1;
/** Held, and somebody sleeps until it is free. */
const CONTENDED = 2;

/**
 * Work under a lock takes well under a microsecond. Who waits this long, even on a busy machine, waits for a thread that
 * was terminated while it held the lock, and goes ahead without it.
 */
const MAX_WAIT_MS = 1_000;

/** One lock for each bucket, shared by threads; without contention it costs two atomic operations. */
export class BucketLocks {
  readonly #words: Int32Array;

  constructor({ words }: { words: Int32Array }) {
    this.#words = words;
  }

  acquire(bucket: number): void {
    if (Atomics.compareExchange(this.#words, bucket, FREE, HELD) === FREE) return;
    while (Atomics.exchange(this.#words, bucket, CONTENDED) !== FREE) {
      if (Atomics.wait(this.#words, bucket, CONTENDED, MAX_WAIT_MS) === 'timed-out') return;
    }
  }

  release(bucket: number): void {
    if (Atomics.exchange(this.#words, bucket, FREE) === CONTENDED) Atomics.notify(this.#words, bucket, 1);
  }
}
