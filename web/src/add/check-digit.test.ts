import { checkDigit } from '@larder/core/gtin.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasWrongCheckDigit } from './check-digit.ts';

it('tells a mistyped code by its check digit, as the service computes it', () => {
  const body = fc.stringMatching(/^\d{11,13}$/);
  fc.assert(
    fc.property(body, fc.integer({ min: 1, max: 9 }), (digits, slip) => {
      const check = checkDigit(digits);
      expect(hasWrongCheckDigit(digits + check)).toBe(false);
      expect(hasWrongCheckDigit(digits + ((Number(check) + slip) % 10))).toBe(true);
    }),
  );
});

it('does not judge 8 digits, which may be a UPC-E', () => {
  expect(hasWrongCheckDigit('04252611')).toBe(false);
});
