import { hash } from 'node:crypto';
import type { UploadClaim, UploadRefusal, UploadSlot, UploadSlots } from '../../blobs/signed-url-access.ts';
import { BucketLocks } from './counters.ts';

/** The maximum that can be configured. */
const CAPACITY = 1_024;
const LOCK_WORDS = 1;
/** Owner (0: free, else the thread's number from 1), two words each of the hashes of key and client, bytes pledged. */
const SLOT_WORDS = 6;
const [OWNER, KEY, CLIENT, BYTES] = [0, 1, 3, 5];

interface SharedUploadSlotsOptions {
  readonly memory: SharedArrayBuffer;
  /** Maximum concurrent uploads, equal for all threads. */
  readonly limit: number;
  /** The thread that takes slots here, 0 for the first. */
  readonly thread: number;
}

/**
 * The running uploads of all API threads of a process, in memory that they share. A crashed thread leaves its
 * slots to its replacement, which frees them.
 */
export class SharedUploadSlots implements UploadSlots {
  readonly #locks: BucketLocks;
  readonly #slots: Int32Array;
  readonly #limit: number;
  readonly #owner: number;

  constructor({ memory, limit, thread }: SharedUploadSlotsOptions) {
    this.#locks = new BucketLocks({ words: new Int32Array(memory, 0, LOCK_WORDS) });
    this.#slots = new Int32Array(memory, LOCK_WORDS * Int32Array.BYTES_PER_ELEMENT);
    if (limit > CAPACITY) throw new RangeError(`there is room for ${CAPACITY} uploads, not for ${limit}`);
    this.#limit = limit;
    this.#owner = 1 + thread;
    for (const at of this.#taken()) {
      if (this.#slots[at + OWNER] === this.#owner) Atomics.store(this.#slots, at + OWNER, 0);
    }
  }

  static createMemory(): SharedArrayBuffer {
    return new SharedArrayBuffer((LOCK_WORDS + CAPACITY * SLOT_WORDS) * Int32Array.BYTES_PER_ELEMENT);
  }

  take({ key, client, bytes }: UploadClaim): UploadSlot | UploadRefusal {
    const [keyHash, clientHash] = [toHash(key), toHash(client)];
    this.#locks.acquire(0);
    try {
      const taken = this.#taken();
      if (taken.some((at) => this.#has(at, KEY, keyHash))) return 'same_key';
      const ofClient = taken.filter((at) => this.#has(at, CLIENT, clientHash)).length;
      // A client gets at most half of the slots that others leave, so that new clients find a slot.
      if (ofClient >= this.#limit - taken.length) return 'too_many';
      let at = 0;
      while (this.#slots[at + OWNER] !== 0) at += SLOT_WORDS;
      this.#slots.set([this.#owner, ...keyHash, ...clientHash, bytes], at);
      const pledgedBytes = taken.reduce((sum, other) => sum + this.#slots[other + BYTES]!, bytes);
      // Clearing one word frees the slot, so that no lock is needed: a concurrent count is one too high.
      return { pledgedBytes, release: () => void Atomics.store(this.#slots, at + OWNER, 0) };
    } finally {
      this.#locks.release(0);
    }
  }

  /** The offsets of all taken slots. */
  #taken(): number[] {
    const taken = [];
    for (let at = 0; at < this.#limit * SLOT_WORDS; at += SLOT_WORDS) {
      if (this.#slots[at + OWNER] !== 0) taken.push(at);
    }
    return taken;
  }

  #has(at: number, field: number, [low, high]: readonly [number, number]): boolean {
    return this.#slots[at + field] === low && this.#slots[at + field + 1] === high;
  }
}

/** 64 bits distinguish a thousand uploads. */
function toHash(text: string): readonly [number, number] {
  const digest = hash('sha256', text, 'buffer');
  return [digest.readInt32LE(0), digest.readInt32LE(4)];
}
