/**
 * Hashes of ids and GTINs, part of the file format. Each key has two independent ones: one chooses the bucket, the other
 * is the fingerprint in it. Mixed by the 32-bit finaliser of MurmurHash3 (Austin Appleby, public domain).
 */
export const BUCKET_SEED = 0x9747b28c;
export const FINGERPRINT_SEED = 0x3c6ef372;

const TWO_TO_32 = 2 ** 32;

/** A whole number below 2^53. */
export function hashNumber(value: number, seed: number): number {
  const high = Math.floor(value / TWO_TO_32);
  return mix(mix(seed ^ (value >>> 0)) ^ high);
}

/** An id as records hold it: a byte for its origin, then its key's code. */
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
