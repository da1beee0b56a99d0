import type { DiaryOwner } from '../../diary/entry.ts';

/** A power of two, many times the users of a busy minute, so that one user's write seldom touches another's slot. */
const SLOTS = 65_536;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Counts the changes to each user's diary, in memory that all threads share: while the count is unchanged, the diary
 * need not be read again. Users share slots by hash, so a count may also rise without a change.
 */
export class DiaryRevisions {
  readonly #counts: Int32Array;

  constructor({ memory }: { memory: SharedArrayBuffer }) {
    this.#counts = new Int32Array(memory);
  }

  static createMemory(): SharedArrayBuffer {
    return new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT);
  }

  of(owner: DiaryOwner): number {
    return Atomics.load(this.#counts, slotOf(owner));
  }

  /** To be called after the change is committed and before it is answered. */
  raise(owner: DiaryOwner): void {
    Atomics.add(this.#counts, slotOf(owner), 1);
  }
}

/** FNV-1a over the UTF-16 units of both names. */
function slotOf({ tenant, userId }: DiaryOwner): number {
  return fnv(userId, fnv(tenant, FNV_OFFSET)) & (SLOTS - 1);
}

function fnv(text: string, start: number): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  // The lowest bits of FNV are its weakest.
  return hash ^ (hash >>> 15);
}
