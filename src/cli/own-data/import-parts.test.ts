import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partsOf } from './import-parts.ts';

it('splits an export between lines into parts within the limits', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^\{[a-z]{0,9}\}$/), { minLength: 1 }),
      fc.boolean(),
      (lines, ends) => {
        const file = Buffer.from(lines.join('\n') + (ends ? '\n' : ''));
        const parts = partsOf(file, { maxBytes: 20, maxLines: 3 });
        expect(Buffer.concat(parts).equals(file)).toBe(true);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(20);
          expect(Buffer.from(part).toString().trimEnd().split('\n').length).toBeLessThanOrEqual(3);
          expect(part[0]).toBe('{'.charCodeAt(0));
        }
      },
    ),
  );
});

it('does not split other files', () => {
  expect(partsOf(Buffer.from('Day,Meal\n'.repeat(9)), { maxBytes: 20, maxLines: 3 })).toHaveLength(1);
});
