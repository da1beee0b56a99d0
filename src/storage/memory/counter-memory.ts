/**
 * The memory that the counters of all API threads share:
 *
 *     seed        2 words, random: nobody outside can choose names that meet in one bucket
 *     locks       1 word for each bucket
 *     buckets     SLOTS slots of 4 words: hash low, hash high, end of window (Unix seconds), requests counted
 */
export const SLOTS = 8;
export const SLOT_WORDS = 4;
const SEED_WORDS = 2;
const BUCKET_WORDS = 1 + SLOTS * SLOT_WORDS;

/** 524,288 counters in 8.6 MB: more credentials and addresses than one machine serves in a minute. */
const DEFAULT_BUCKETS = 65_536;

export interface CounterMemoryInit {
  readonly randomBytes: (count: number) => Uint8Array;
  /** A power of two. */
  readonly buckets?: number;
}

export function createCounterMemory({
  randomBytes,
  buckets = DEFAULT_BUCKETS,
}: CounterMemoryInit): SharedArrayBuffer {
  if (buckets < 1 || (buckets & (buckets - 1)) !== 0)
    throw new RangeError(`${buckets} is not a power of two`);
  const memory = new SharedArrayBuffer((SEED_WORDS + buckets * BUCKET_WORDS) * Uint32Array.BYTES_PER_ELEMENT);
  new Uint8Array(memory).set(randomBytes(SEED_WORDS * Uint32Array.BYTES_PER_ELEMENT));
  return memory;
}

/** The parts of the memory, as every thread sees them. */
export function openCounterMemory(memory: SharedArrayBuffer) {
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
