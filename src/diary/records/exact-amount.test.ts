import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { MAX_DAY_ENTRIES } from './entry.ts';
import {
  joinAmount,
  MAX_AMOUNT,
  roundSum,
  splitAmount,
  type Thousandths,
  toDecimal,
  toThousandths,
} from './exact-amount.ts';

/** Decimal numbers as text with up to 9 decimals. */
const decimalText = fc
  .tuple(fc.nat(MAX_AMOUNT - 1), fc.nat(9), fc.nat(999_999_999))
  .map(([whole, places, digits]) => `${whole}.${String(digits).padStart(9, '0').slice(0, places)}`);

/** A simple implementation with all digits in one bigint. */
function naiveThousandths(text: string): bigint {
  const [whole, decimals = ''] = text.split('.');
  const ninePlaces = BigInt(whole + decimals.padEnd(9, '0'));
  return (ninePlaces + 500_000n) / 1_000_000n;
}

describe('thousandths', () => {
  test('a written decimal is rounded half up at the third decimal, as on paper', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        // A double is inexact beyond 15 digits.
        fc.pre(text.replace(/^0\./, '').length <= 15);
        expect(BigInt(toThousandths(Number(text)))).toBe(naiveThousandths(text));
      }),
    );
    expect(toThousandths(1.0005)).toBe(1001);
    expect(toThousandths(0.00049)).toBe(0);
    expect(toThousandths(5e-7)).toBe(0);
  });

  test('the sum of 10,000 amounts is the decimal sum, and prints without drift', () => {
    fc.assert(
      fc.property(fc.array(decimalText, { minLength: 10_000, maxLength: 10_000 }), (texts) => {
        const kept = texts.map((text) => text.slice(0, text.indexOf('.') + 4));
        const sum = kept.reduce((total, text) => total + toThousandths(Number(text)), 0) as Thousandths;
        const exact = kept.reduce((total, text) => total + naiveThousandths(text), 0n);
        expect(BigInt(sum)).toBe(exact);
        const digits = String(exact).padStart(4, '0');
        const printed = `${digits.slice(0, -3)}.${digits.slice(-3)}`.replace(/\.?0+$/, '');
        expect(String(toDecimal(sum))).toBe(printed === '' ? '0' : printed);
      }),
      { numRuns: runs(5) },
    );
  });
});

test('the larger part is the amount rounded half up, and no billionth is lost', () => {
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

test('an amount with three decimals has no rest', () => {
  fc.assert(
    fc.property(fc.nat(MAX_AMOUNT * 1000), (thousandths) => {
      expect(splitAmount(thousandths / 1000)).toEqual([thousandths, 0]);
      expect(toThousandths(thousandths / 1000)).toBe(thousandths);
    }),
  );
});

test('a computed half is rounded up like a written one', () => {
  expect(splitAmount(0.667 * 1.5)[0]).toBe(1001);
  expect(splitAmount(52 * 1.5)).toEqual([78_000, 0]);
});

test('n equal parts of an amount sum to the amount, for any divisor', () => {
  const parts = fc.tuple(fc.nat(1e7), fc.integer({ min: 1, max: 100 }));
  fc.assert(
    fc.property(parts, ([tenThousandths, count]) => {
      const [amount, rest] = splitAmount(tenThousandths / 1e4 / count);
      expect(roundSum(amount * count, rest * count, count)).toBe(Math.floor((tenThousandths + 5) / 10));
    }),
  );
});

test('a sum of many rounded amounts that is a half is rounded up', () => {
  const [amount, rest] = splitAmount(0.005 / 6);
  expect(roundSum(amount * 303, rest * 303, 303)).toBe(253);
});

test('the sums of the fullest day are whole numbers within the range of a double', () => {
  const [amount] = splitAmount(MAX_AMOUNT);
  expect(Number.isSafeInteger(amount * MAX_DAY_ENTRIES)).toBe(true);
  expect(Number.isSafeInteger(500_000 * MAX_DAY_ENTRIES)).toBe(true);
  expect(BigInt(MAX_AMOUNT) * 1_000_000_000n * BigInt(MAX_DAY_ENTRIES)).toBeGreaterThan(2n ** 63n);
});
