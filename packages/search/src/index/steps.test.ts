import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { forEachInSteps, mergeInSteps, runAll, STEP, sortInSteps } from './steps.ts';

const byNumber = (a: number, b: number) => a - b;
const numbers = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 40 });

test('sorts and merges like plain sorting, in steps of bounded size', () => {
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 6 }), (lists) => {
      const all = lists.flat();
      expect(runAll(sortInSteps(all, byNumber))).toEqual(all.toSorted(byNumber));
      expect(
        runAll(
          mergeInSteps(
            lists.map((list) => list.toSorted(byNumber)),
            byNumber,
          ),
        ),
      ).toEqual(all.toSorted(byNumber));
    }),
    { numRuns: runs(200) },
  );
  const many = Array.from({ length: 5 * STEP + 3 }, (_, at) => (at * 7919) % 5003);
  let compared = 0;
  let mostInOneStep = 0;
  const steps = sortInSteps(many, (a, b) => {
    compared++;
    return a - b;
  });
  for (let next = steps.next(); ; next = steps.next()) {
    mostInOneStep = Math.max(mostInOneStep, compared);
    compared = 0;
    if (next.done === true) {
      expect(next.value).toEqual(many.toSorted(byNumber));
      break;
    }
  }
  expect(mostInOneStep).toBeLessThan(STEP * Math.log2(STEP));
});

test('visits every number once', () => {
  const seen: number[] = [];
  runAll(forEachInSteps(2 * STEP + 1, (at) => seen.push(at)));
  expect(seen).toEqual(Array.from({ length: 2 * STEP + 1 }, (_, at) => at));
});
