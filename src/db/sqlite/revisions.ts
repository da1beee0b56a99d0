/** A power of two, many times the users of a busy minute, so that one user's write seldom touches another's slot. */
const SLOTS = 65_536;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Counts the changes to what has a name, such as a user's diary, in memory that all threads share: while the count is
 * unchanged, it need not be read again. Names share slots by hash, so a count may also rise without a change.
 */
export class Revisions {
  readonly #counts: Int32Array;

  constructor({ memory }: { memory: SharedArrayBuffer }) {
    this.#counts = new Int32Array(memory);
  }

  static createMemory(): SharedArrayBuffer {
    return new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT);
  }

  of(name: string): number {
    return Atomics.load(this.#counts, slotOf(name));
  }

  /** Call it after the change is committed and before it is confirmed. */
  raise(name: string): void {
    Atomics.add(this.#counts, slotOf(name), 1);
  }
}

/** FNV-1a over the UTF-16 units. */
function slotOf(name: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), FNV_PRIME);
  // The lowest bits of FNV are its weakest.
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
