import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { SlotIndex } from './compact-columns.ts';

test('every id is found in its slot, and no other id is found', () => {
  const id = fc.integer({ min: 1, max: 0x7fff_ffff });
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 6_000, minLength: 1 }), fc.array(id), (ids, others) => {
      const index = new SlotIndex();
      for (const each of ids) index.add(each);
      expect(ids.every((each, slot) => index.find(each) === slot)).toBe(true);
      expect(others.every((each) => (index.find(each) ?? -1) === ids.indexOf(each))).toBe(true);
      expect(index.size).toBe(ids.length);
    }),
    { numRuns: runs(30) },
  );
});
