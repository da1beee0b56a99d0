import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../test/support/runs.ts';
import { linearFit } from './linear-fit.ts';

test('a line without noise is found exactly, with a margin of zero', () => {
  const number = fc.integer({ min: -1_000, max: 1_000 });
  fc.assert(
    fc.property(number, number, fc.integer({ min: 5, max: 50 }), (slope, start, count) => {
      const fit = linearFit(Array.from({ length: count }, (_, x) => [x, start + slope * x] as const));
      expect(fit.slope).toBeCloseTo(slope, 6);
      expect(fit.slopeMargin).toBeCloseTo(0, 4);
    }),
    { numRuns: runs(100) },
  );
});

test('the margin agrees with a textbook example', () => {
  // Anscombe's first set: slope 0.5001, standard error 0.1179, t of 9 degrees 2.262.
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  const fit = linearFit(x.map((each, at) => [each, y[at]!] as const));
  expect(fit.slope).toBeCloseTo(0.5001, 4);
  expect(fit.slopeMargin).toBeCloseTo(0.1179 * 2.262, 2);
  expect(fit.mean).toBeCloseTo(7.5009, 4);
});
