import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyText, hashKeyText, matchesHash, parseKeyId } from './key-format.ts';

const NOW = 1_800_000_000;
const create = (nowSeconds = NOW) => createKeyText(nowSeconds, randomBytes);
const ALPHABET = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

test('a key is its prefix and 61 letters and digits, also for random bytes of all zeros or ones', () => {
  for (const fill of [0x00, 0xff]) {
    const text = createKeyText(NOW, (count) => new Uint8Array(count).fill(fill));
    expect(text).toMatch(/^lrd_[0-9A-Za-z]{61}$/);
    expect(parseKeyId(text)).toMatch(/^[0-9A-Za-z]{12}$/);
  }
});

test('keys differ in id and secret', () => {
  const texts = Array.from({ length: 1_000 }, () => create());
  expect(new Set(texts.map((text) => text.slice(16, 59))).size).toBe(texts.length);
  expect(new Set(texts.map(parseKeyId)).size).toBe(texts.length);
});

test('ids sort by the second of their creation', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.nat(2 ** 31), (a, b) => {
      fc.pre(a < b);
      expect(parseKeyId(create(a))! < parseKeyId(create(b))!).toBe(true);
    }),
  );
});

test('one wrong character anywhere is refused without a look-up', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 64 }), fc.constantFrom(...ALPHABET), (at, letter) => {
      const text = create();
      fc.pre(text[at] !== letter);
      expect(parseKeyId(text.slice(0, at) + letter + text.slice(at + 1))).toBeUndefined();
    }),
  );
});

test('two swapped neighbours are refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 63 }), (at) => {
      const text = create();
      fc.pre(text[at] !== text[at + 1]);
      const swapped = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
      expect(parseKeyId(swapped)).toBeUndefined();
    }),
  );
});

test.each(['', 'lrd_', 'Bearer', 'lrd_é', ' lrd_', 'x'.repeat(1_000_000)])('%.20j is not a key', (text) => {
  expect(parseKeyId(text)).toBeUndefined();
});

test('a key with text before or after it is not a key', () => {
  for (const text of [` ${create()}`, `${create()} `, `${create()}\n`, `x${create()}`]) {
    expect(parseKeyId(text)).toBeUndefined();
  }
});

test('only the text itself matches its hash, and the hash does not contain it', () => {
  const text = create();
  const stored = hashKeyText(text);
  expect(stored).toHaveLength(32);
  expect(matchesHash(text, stored)).toBe(true);
  expect(matchesHash(create(), stored)).toBe(false);
  expect(stored.toString('latin1')).not.toContain(text.slice(16, 30));
});
