import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalText } from './rounding.ts';

test('the text is that of the number', () => {
  const amount = fc.oneof(
    fc.nat(20_000),
    fc.nat(1_000_000_000),
    fc.maxSafeNat().map((n) => n % 1e14),
  );
  fc.assert(
    fc.property(amount, (thousandths) => {
      expect(decimalText(thousandths)).toBe(String(thousandths / 1000));
    }),
  );
  expect([0, 1, 250, 1000, 1_500].map(decimalText)).toEqual(['0', '0.001', '0.25', '1', '1.5']);
});
