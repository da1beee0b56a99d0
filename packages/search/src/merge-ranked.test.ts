import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeRanked } from './merge-ranked.ts';

const lists = fc
  .array(fc.array(fc.record({ score: fc.nat({ max: 5 }), order: fc.nat({ max: 3 }) }), { maxLength: 8 }), {
    maxLength: 5,
  })
  .map((all) => all.map((hits, list) => hits.map((hit, at) => ({ ...hit, list, at }))));

test('a merge holds each hit once, and each list in its own order', () => {
  fc.assert(
    fc.property(lists, (all) => {
      const merged = mergeRanked(all, 100);
      expect(merged.toSorted((a, b) => a.list - b.list)).toEqual(all.flat());
    }),
  );
});

test('a shorter merge is the beginning of a longer one', () => {
  fc.assert(
    fc.property(lists, fc.nat({ max: 20 }), (all, limit) => {
      expect(mergeRanked(all, limit)).toEqual(mergeRanked(all, 100).slice(0, limit));
    }),
  );
});

test('sorted lists make a sorted merge, with the earlier list first among equal scores', () => {
  fc.assert(
    fc.property(lists, (all) => {
      const sorted = all.map((hits) => hits.toSorted((a, b) => b.score - a.score));
      // Sorting is stable, so equal scores keep the order of their lists.
      expect(mergeRanked(sorted, 100)).toEqual(sorted.flat().toSorted((a, b) => b.score - a.score));
    }),
  );
});

test('the comparison decides among equal scores only', () => {
  fc.assert(
    fc.property(lists, (all) => {
      const compare = (a: { order: number }, b: { order: number }) => a.order - b.order;
      const inOrder = (a: { score: number; order: number }, b: { score: number; order: number }) =>
        b.score - a.score || compare(a, b);
      const sorted = all.map((hits) => hits.toSorted(inOrder));
      expect(mergeRanked(sorted, 100, compare)).toEqual(sorted.flat().toSorted(inOrder));
    }),
  );
});
