import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../support/runs.ts';
import { quantile, slowest } from './samples.ts';

test('the quantile is the smallest value with the given share of values below or equal', () => {
  const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(values, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, share) => {
      const found = quantile(all, share);
      expect(all).toContain(found);
      expect(all.filter((value) => value <= found).length).toBeGreaterThanOrEqual(share * all.length);
      expect(all.filter((value) => value < found).length).toBeLessThan(share * all.length);
    }),
    { numRuns: runs(200) },
  );
});

test('samples of foods and diaries are separate', () => {
  const of = (probe: 'search' | 'barcode' | 'diary write' | 'diary read', ms: number) => ({
    probe,
    ms,
    status: 200,
  });
  expect(slowest([of('search', 1), of('barcode', 2), of('diary write', 30), of('diary read', 4)])).toEqual({
    search: 2,
    diary: 30,
  });
  expect(slowest([])).toEqual({ search: 0, diary: 0 });
});
