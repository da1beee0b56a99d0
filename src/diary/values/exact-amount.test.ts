import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_DAY_ENTRIES } from '../records/entry.ts';
import { joinAmount, roundSum, splitAmount } from './exact-amount.ts';
import { MAX_AMOUNT, toThousandths } from './thousandths.ts';

test('the larger part is the amount rounded half up, and nothing of a billionth is lost', () => {
  fc.assert(
    fc.property(
      fc.maxSafeNat().map((n) => n % (MAX_AMOUNT * 1e9 + 1)),
      (billionths) => {
        const [amount, rest] = splitAmount(billionths / 1e9);
        expect(BigInt(amount) * 1_000_000n + BigInt(rest)).toBe(BigInt(billionths));
        expect(BigInt(amount)).toBe((BigInt(billionths) + 500_000n) / 1_000_000n);
        expect(joinAmount(amount, rest)).toBe(billionths / 1e9);
      },
    ),
  );
});

test('what has three decimals has no rest', () => {
  fc.assert(
    fc.property(fc.nat(MAX_AMOUNT * 1000), (thousandths) => {
      expect(splitAmount(thousandths / 1000)).toEqual([thousandths, 0]);
      expect(toThousandths(thousandths / 1000)).toBe(thousandths);
    }),
  );
});

test('a computed half rounds up like a written one', () => {
  expect(splitAmount(0.667 * 1.5)[0]).toBe(1001);
  expect(splitAmount(52 * 1.5)).toEqual([78_000, 0]);
});

test('n equal parts of an amount sum to the amount, whatever n divides it by', () => {
  const parts = fc.tuple(fc.nat(1e7), fc.integer({ min: 1, max: 100 }));
  fc.assert(
    fc.property(parts, ([tenThousandths, count]) => {
      const [amount, rest] = splitAmount(tenThousandths / 1e4 / count);
      expect(roundSum(amount * count, rest * count)).toBe(Math.floor((tenThousandths + 5) / 10));
    }),
  );
});

test('the sums of the fullest day are whole numbers that a double holds', () => {
  const [amount] = splitAmount(MAX_AMOUNT);
  expect(Number.isSafeInteger(amount * MAX_DAY_ENTRIES)).toBe(true);
  expect(Number.isSafeInteger(500_000 * MAX_DAY_ENTRIES)).toBe(true);
  expect(BigInt(MAX_AMOUNT) * 1_000_000_000n * BigInt(MAX_DAY_ENTRIES)).toBeGreaterThan(2n ** 63n);
});
