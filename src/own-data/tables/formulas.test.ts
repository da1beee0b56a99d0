import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardFormula, unguardFormula } from './values.ts';

test.each(['=SUM(A1)', '+1', '-1', '@x', '\tx', '＝SUM(A1)', '＋1', '－1', '＠x', "'=1", "''＝1"])(
  '%j is text for a spreadsheet',
  (text) => {
    expect(guardFormula(text)).toBe(`'${text}`);
  },
);

test('every text is read back as it was written', () => {
  const part = fc.oneof(
    fc.constantFrom("'", '=', '＝', '+', '@', '\t', 'a'),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('');
      expect(unguardFormula(guardFormula(text))).toBe(text);
    }),
  );
});
