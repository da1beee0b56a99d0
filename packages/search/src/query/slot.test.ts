import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WeightedRange } from './plan.ts';
import { disjointRanges, joinedSpans } from './slot-maker.ts';

const ranges = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 6 }), fc.constantFrom(100, 150, 200)),
  { maxLength: 8 },
);

describe('the ranges of a slot', () => {
  it('give each term its best weight once, and the spans cover the same terms', () => {
    fc.assert(
      fc.property(ranges, (added) => {
        const collected: WeightedRange[] = [];
        const wanted = new Map<number, number>();
        for (const [from, length, weight] of added) {
          if (length > 0) collected.push({ from, to: from + length, weight });
          for (let term = from; term < from + length; term++)
            wanted.set(term, Math.max(weight, wanted.get(term) ?? 0));
        }
        const terms = disjointRanges(collected).flatMap(({ from, to, weight }) =>
          Array.from({ length: to - from }, (_, at) => [from + at, weight] as const),
        );
        expect(terms.length).toBe(wanted.size);
        expect(new Map(terms)).toEqual(wanted);
        const spanned = joinedSpans(collected).flatMap(({ from, to }) =>
          Array.from({ length: to - from }, (_, at) => from + at),
        );
        expect(spanned).toEqual([...wanted.keys()].sort((a, b) => a - b));
      }),
    );
  });
});
