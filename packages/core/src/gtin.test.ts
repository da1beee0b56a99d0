import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkDigit, hasValidCheckDigit, toGtin } from './gtin.ts';

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));

test.each([
  ['3017620422003', '03017620422003'],
  ['012345678905', '00012345678905'],
  ['96385074', '00000096385074'],
  ['10012345678902', '10012345678902'],
])('the published example %s is padded to %s and its check digit is valid', (code, gtin) => {
  expect(toGtin(code)).toBe(gtin);
  expect(hasValidCheckDigit(toGtin(code))).toBe(true);
});

test.each(['', '123456789012345', '12a', ' 12', '１２'])('%j cannot be padded', (text) => {
  expect(() => toGtin(text)).toThrow(RangeError);
});

test('padding never merges two codes of different value', () => {
  fc.assert(
    fc.property(digits(1, 14), digits(1, 14), (a, b) => {
      expect(toGtin(a) === toGtin(b)).toBe(BigInt(a) === BigInt(b));
    }),
  );
});

test('the check digit makes the naive weighted sum a multiple of ten', () => {
  fc.assert(
    fc.property(digits(1, 13), (body) => {
      const all = [...(body + checkDigit(body))].toReversed().map(Number);
      const sum = all.reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3), 0);
      expect(sum % 10).toBe(0);
    }),
  );
});

test('one wrong digit is always detected', () => {
  fc.assert(
    fc.property(digits(13, 13), fc.nat(13), fc.integer({ min: 1, max: 9 }), (body, at, by) => {
      const code = [...(body + checkDigit(body))];
      code[at] = String((Number(code[at]) + by) % 10);
      expect(hasValidCheckDigit(toGtin(code.join('')))).toBe(false);
    }),
  );
});
