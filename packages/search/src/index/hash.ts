/** FNV-1a over integers: http://www.isthe.com/chongo/tech/comp/fnv/ */
export const HASH_SEED = 0x811c9dc5;

export function hashStep(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193);
}

/** Mixes all bits, because FNV leaves the low ones weak (finaliser of MurmurHash3). */
export function hashEnd(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
