import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlotRanges } from './plan.ts';

const ranges = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 6 }), fc.constantFrom(100, 150, 200)),
  { maxLength: 8 },
);

describe('SlotRanges', () => {
  it('gives each term its best weight once, and covers the same terms with spans', () => {
    fc.assert(
      fc.property(ranges, (added) => {
        const slot = new SlotRanges();
        const wanted = new Map<number, number>();
        for (const [from, length, weight] of added) {
          slot.add(from, from + length, weight);
          for (let term = from; term < from + length; term++)
            wanted.set(term, Math.max(weight, wanted.get(term) ?? 0));
        }
        const terms = slot
          .disjoint()
          .flatMap(({ from, to, weight }) =>
            Array.from({ length: to - from }, (_, at) => [from + at, weight] as const),
          );
        expect(terms.length).toBe(wanted.size);
        expect(new Map(terms)).toEqual(wanted);
        const spanned = slot
          .spans()
          .flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at));
        expect(spanned).toEqual([...wanted.keys()].sort((a, b) => a - b));
      }),
    );
  });
});
