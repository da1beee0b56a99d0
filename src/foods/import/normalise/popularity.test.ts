import { expect, test } from 'vitest';
import { popularityOf } from './normalise.ts';

test('each doubling of the scans adds the same, up to the end of the scale', () => {
  expect(
    [undefined, 0, 1, 3, 1_023, 65_535, 1e9].map((scans) => popularityOf(scans ? { scans } : {})),
  ).toEqual([0, 0, 16, 32, 160, 255, 255]);
});

test('a generic food ranks above products with few scans, and below those with thousands', () => {
  const generic = popularityOf({ isGeneric: true });
  expect(generic).toBeGreaterThan(popularityOf({ scans: 500 }));
  expect(generic).toBeLessThan(popularityOf({ scans: 5_000 }));
});

test('of generic foods, those with more diary entries rank first', () => {
  const points = [0, 8, 800, 1e6].map((diaryEntries) => popularityOf({ isGeneric: true, diaryEntries }));
  expect(points).toEqual([145, 161, 252, 255]);
  expect(popularityOf({ diaryEntries: 800 })).toBe(0);
});
