import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from './diary-lines.ts';
import { popularityOf } from './popularity.ts';

const level = fc.integer({ min: 1, max: 5 });
const lines = fc.nat({ max: 10_000_000 });

test('popularity is a whole number up to 255 that grows with level and diary lines', () => {
  fc.assert(
    fc.property(level, lines, lines, (given, some, more) => {
      const popularity = popularityOf(given, some);
      expect(Number.isInteger(popularity)).toBe(true);
      expect(popularity).toBeLessThanOrEqual(255);
      expect(popularityOf(given, some + more)).toBeGreaterThanOrEqual(popularity);
      expect(popularityOf(given + 1, some)).toBeGreaterThan(popularity);
    }),
  );
});

test('diary lines are those of a code or of all codes that begin with it', () => {
  const counted = new Map([
    ['11111000', 3],
    ['11112110', 4],
    ['63107010', 5],
  ]);
  expect(linesOf('11111000', counted)).toBe(3);
  expect(linesOf('1111 63107010', counted)).toBe(12);
  expect(linesOf('', counted)).toBe(0);
});
