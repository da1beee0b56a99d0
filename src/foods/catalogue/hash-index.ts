/**
 * A read-only map from a key's hash to record offsets. Nearly every look-up takes two memory reads, the bucket's start and
 * its adjacent entries, and a third in the record to confirm the key. With millions of foods each read is a cache miss,
 * so the layout avoids others.
 *
 *     starts   bucket -> first entry      one for each bucket, and one end
 *     entries  fingerprint, offset, …      by bucket, then in order of insertion
 */

/** Average; a bucket is then half a cache line. */
const ENTRIES_PER_BUCKET = 4;
const MIN_CAPACITY = 16;

/** Offsets are never negative. */
export const NOT_FOUND = -1;

export interface HashIndexSections {
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
}

export class HashIndexBuilder {
  #count = 0;
  /** Bucket hash, fingerprint and offset of each entry, in sequence. */
  #rows: Uint32Array;

  constructor({ capacity }: { capacity: number }) {
    this.#rows = new Uint32Array(3 * Math.max(capacity, MIN_CAPACITY));
  }

  add(hash: number, fingerprint: number, offset: number): void {
    if (3 * this.#count === this.#rows.length) {
      const grown = new Uint32Array(Math.max(this.#rows.length * 2, 3 * MIN_CAPACITY));
      grown.set(this.#rows);
      this.#rows = grown;
    }
    this.#rows[3 * this.#count] = hash;
    this.#rows[3 * this.#count + 1] = fingerprint;
    this.#rows[3 * this.#count + 2] = offset;
    this.#count++;
  }

  /** Empties the builder. */
  finish(): HashIndexSections {
    const buckets = bucketsFor(this.#count);
    const mask = buckets - 1;
    const rows = this.#rows;
    const starts = new Uint32Array(buckets + 1);
    for (let i = 0; i < this.#count; i++) starts[(rows[3 * i]! & mask) + 1]!++;
    for (let bucket = 0; bucket < buckets; bucket++) starts[bucket + 1]! += starts[bucket]!;
    const next = starts.slice();
    const entries = new Uint32Array(2 * this.#count);
    for (let i = 0; i < this.#count; i++) {
      const at = next[rows[3 * i]! & mask]!++;
      entries[2 * at] = rows[3 * i + 1]!;
      entries[2 * at + 1] = rows[3 * i + 2]!;
    }
    this.#rows = new Uint32Array(0);
    this.#count = 0;
    return { starts, entries };
  }
}

/** A power of two. */
function bucketsFor(count: number): number {
  let buckets = 1;
  while (buckets * ENTRIES_PER_BUCKET < count) buckets *= 2;
  return buckets;
}

export class HashIndex {
  readonly #starts: Uint32Array;
  readonly #entries: Uint32Array;
  readonly #mask: number;

  constructor({ starts, entries }: HashIndexSections) {
    this.#starts = starts;
    this.#entries = entries;
    this.#mask = starts.length - 2;
  }

  /** The first offset added under this hash and fingerprint that `isMeant` accepts; otherwise `NOT_FOUND`. */
  find(hash: number, fingerprint: number, isMeant: (offset: number) => boolean): number {
    const bucket = hash & this.#mask;
    const end = this.#starts[bucket + 1]!;
    for (let at = this.#starts[bucket]!; at < end; at++) {
      if (this.#entries[2 * at] !== fingerprint) continue;
      const offset = this.#entries[2 * at + 1]!;
      if (isMeant(offset)) return offset;
    }
    return NOT_FOUND;
  }

  /** Returns up to `most` offsets, in the order in which they were added. */
  findAll(hash: number, fingerprint: number, isMeant: (offset: number) => boolean, most: number): number[] {
    const found: number[] = [];
    this.find(hash, fingerprint, (offset) => {
      if (isMeant(offset)) found.push(offset);
      return found.length === most;
    });
    return found;
  }
}

/**
 * Hashes of ids and GTINs, part of the file format. Each key has two independent ones: for the bucket, and for the
 * fingerprint in it. Mixed by the 32-bit finaliser of MurmurHash3 (Austin Appleby, public domain).
 */
export const BUCKET_SEED = 0x9747b28c;
export const FINGERPRINT_SEED = 0x3c6ef372;

const TWO_TO_32 = 2 ** 32;

/** A whole number below 2^53. */
export function hashNumber(value: number, seed: number): number {
  const high = Math.floor(value / TWO_TO_32);
  return mix(mix(seed ^ (value >>> 0)) ^ high);
}

/** An id in a record's form: a byte for the origin, then the key's code. */
export function hashId(id: Uint8Array, seed: number): number {
  let hash = mix(seed ^ id.length);
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id[at]!, 0x01000193);
  return mix(hash);
}

function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
