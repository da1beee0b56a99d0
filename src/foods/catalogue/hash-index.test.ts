import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BUCKET_SEED,
  FINGERPRINT_SEED,
  HashIndex,
  HashIndexBuilder,
  hashNumber,
  NOT_FOUND,
} from './hash-index.ts';

const arbitraryKeys = fc.array(
  fc.oneof(
    fc.maxSafeNat(),
    fc.nat({ max: 20 }),
    fc.nat({ max: 9 }).map((n) => n * 2 ** 32),
  ),
  { maxLength: 300 },
);

test('an index answers like a map that keeps the first of each key', () => {
  fc.assert(
    fc.property(arbitraryKeys, arbitraryKeys, fc.constantFrom(1, 1_000), (keys, strangers, capacity) => {
      const builder = new HashIndexBuilder({ capacity });
      const naive = new Map<number, number>();
      for (const [offset, key] of keys.entries()) {
        builder.add(hashNumber(key, BUCKET_SEED), hashNumber(key, FINGERPRINT_SEED), offset);
        if (!naive.has(key)) naive.set(key, offset);
      }
      const index = new HashIndex(builder.finish());
      for (const key of [...keys, ...strangers])
        expect(find(index, keys, key)).toBe(naive.get(key) ?? NOT_FOUND);
    }),
  );
});

test('keys with equal hashes are distinguished by the confirmation', () => {
  const builder = new HashIndexBuilder({ capacity: 4 });
  for (let offset = 0; offset < 100; offset++) builder.add(7, 7, offset);
  const index = new HashIndex(builder.finish());
  expect(index.find(7, 7, (offset) => offset === 63)).toBe(63);
  expect(index.find(7, 7, () => false)).toBe(NOT_FOUND);
  expect(index.find(7, 8, () => true)).toBe(NOT_FOUND);
});

function find(index: HashIndex, keys: readonly number[], key: number): number {
  const isMeant = (offset: number) => keys[offset] === key;
  return index.find(hashNumber(key, BUCKET_SEED), hashNumber(key, FINGERPRINT_SEED), isMeant);
}
