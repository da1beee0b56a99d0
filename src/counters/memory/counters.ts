import { type LimitDecision, type LocalCounters, WINDOW_SECONDS } from '../counters.ts';

const FREE = 0;
const HELD = 1;
/** Held, and a thread sleeps until it is free. */
const CONTENDED = 2;

/**
 * Work under a lock takes well under a microsecond. A thread that waits this long, even on a busy machine,
 * waits for a thread that was terminated while it held the lock, and continues without it.
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

/**
 * The memory that the counters of all API threads share:
 *
 *     seed     2 words, random: nobody outside can choose names that collide in one bucket
 *     locks    1 word for each bucket
 *     buckets  SLOTS slots of 4 words: hash low, hash high, end of window (Unix seconds), requests counted
 */
export const SLOTS = 8;
const SLOT_WORDS = 4;
const SEED_WORDS = 2;
const BUCKET_WORDS = 1 + SLOTS * SLOT_WORDS;

/** 524,288 counters in 8.6 MB: more credentials and addresses than one machine serves in a minute. */
const DEFAULT_BUCKETS = 65_536;

export interface CounterMemoryOptions {
  readonly randomBytes: (count: number) => Uint8Array;
  /** A power of two. */
  readonly buckets?: number;
}

export function createCounterMemory({
  randomBytes,
  buckets = DEFAULT_BUCKETS,
}: CounterMemoryOptions): SharedArrayBuffer {
  if (buckets < 1 || (buckets & (buckets - 1)) !== 0)
    throw new RangeError(`${buckets} is not a power of two`);
  const memory = new SharedArrayBuffer((SEED_WORDS + buckets * BUCKET_WORDS) * Uint32Array.BYTES_PER_ELEMENT);
  new Uint8Array(memory).set(randomBytes(SEED_WORDS * Uint32Array.BYTES_PER_ELEMENT));
  return memory;
}

/** The parts of the memory, as every thread uses them. */
function openCounterMemory(memory: SharedArrayBuffer) {
  const words = memory.byteLength / Uint32Array.BYTES_PER_ELEMENT;
  const buckets = (words - SEED_WORDS) / BUCKET_WORDS;
  const at = (word: number) => word * Uint32Array.BYTES_PER_ELEMENT;
  return {
    buckets,
    seed: new Uint32Array(memory, 0, SEED_WORDS),
    locks: new Int32Array(memory, at(SEED_WORDS), buckets),
    slots: new Uint32Array(memory, at(SEED_WORDS + buckets), buckets * SLOTS * SLOT_WORDS),
  };
}

/** Number of words of a slot. */
const LOW = 0;
const HIGH = 1;
const ENDS_AT = 2;
const COUNTED = 3;

/**
 * A thread may pass a time that it read slightly before another thread did; the difference is always less
 * than a window.
 */
const MAX_LEFT_SECONDS = 2 * WINDOW_SECONDS;

/**
 * Counters in memory that all API threads of a process share, so that limits apply to the process and not to
 * each thread. The size is fixed: a name's hash (64 bits) selects a bucket, and any free slot there holds the
 * count. A slot is free when its window has ended. If all slots of a bucket are in use, the one whose window
 * ends first is evicted, so that its owner's window restarts a little early.
 */
export class SharedCounters implements LocalCounters {
  readonly #locks: BucketLocks;
  readonly #slots: Uint32Array;
  readonly #seed: Uint32Array;
  readonly #bucketMask: number;

  constructor({ memory }: { memory: SharedArrayBuffer }) {
    const { buckets, seed, locks, slots } = openCounterMemory(memory);
    this.#locks = new BucketLocks({ words: locks });
    this.#slots = slots;
    this.#seed = seed;
    this.#bucketMask = buckets - 1;
  }

  async peek(name: string, limit: number, nowMs: number): Promise<LimitDecision> {
    return this.peekNow(name, limit, nowMs);
  }

  async take(name: string, limit: number, nowMs: number, times?: number): Promise<LimitDecision> {
    return this.takeNow(name, limit, nowMs, times);
  }

  peekNow(name: string, limit: number, nowMs: number): LimitDecision {
    return this.takeNow(name, limit, nowMs, 0);
  }

  takeNow(name: string, limit: number, nowMs: number, asked = 1): LimitDecision {
    const low = hash(name, this.#seed[0]!);
    const high = hash(name, this.#seed[1]!);
    const bucket = low & this.#bucketMask;
    this.#locks.acquire(bucket);
    try {
      const slot = this.#findSlot(bucket, low, high, Math.floor(nowMs / 1000));
      const before = this.#slots[slot + COUNTED]!;
      const allowed = before + Math.max(1, asked) <= limit;
      const counted = allowed ? before + asked : before;
      this.#slots[slot + COUNTED] = counted;
      const resetsAt = this.#slots[slot + ENDS_AT]!;
      return { allowed, limit, remaining: Math.max(0, limit - counted), resetsAt };
    } finally {
      this.#locks.release(bucket);
    }
  }

  /** The slot that counts this hash in the current window; starts a new one if there is none. */
  #findSlot(bucket: number, low: number, high: number, nowSeconds: number): number {
    const slots = this.#slots;
    const first = bucket * SLOTS * SLOT_WORDS;
    let soonest = first;
    for (let slot = first; slot < first + SLOTS * SLOT_WORDS; slot += SLOT_WORDS) {
      // A window that was opened before the clock was set back has ended: otherwise it would last for that
      // time.
      if (slots[slot + ENDS_AT]! > nowSeconds + MAX_LEFT_SECONDS) slots[slot + ENDS_AT] = 0;
      const endsAt = slots[slot + ENDS_AT]!;
      if (slots[slot + LOW] === low && slots[slot + HIGH] === high && endsAt > nowSeconds) return slot;
      if (endsAt < slots[soonest + ENDS_AT]!) soonest = slot;
    }
    slots[soonest + LOW] = low;
    slots[soonest + HIGH] = high;
    slots[soonest + ENDS_AT] = nowSeconds + WINDOW_SECONDS;
    slots[soonest + COUNTED] = 0;
    return soonest;
  }
}

/** 32 bits that depend on every character and on the seed: multiply, shift, and a final mixing. */
function hash(text: string, seed: number): number {
  let state = seed;
  for (let at = 0; at < text.length; at++) {
    state = Math.imul(state ^ text.charCodeAt(at), 0x5bd1e995);
    state ^= state >>> 15;
  }
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  return (state ^ (state >>> 16)) >>> 0;
}
