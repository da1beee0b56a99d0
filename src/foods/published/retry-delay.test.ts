import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COPY_PROBLEMS, retryDelayMs } from './fetch-problem.ts';

const MAX_MS = { outage: 2_000, other: 60_000 };

test('waits grow to a limit, never fall to nothing, and nodes that failed together come back apart', () => {
  const facts = {
    code: fc.constantFrom(...COPY_PROBLEMS),
    failures: fc.integer({ min: 1, max: 10_000 }),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  };
  fc.assert(
    fc.property(fc.record(facts), ({ code, failures, random }) => {
      const delayMs = retryDelayMs(code, failures, random);
      expect(delayMs).toBeGreaterThanOrEqual(250);
      expect(delayMs).toBeLessThanOrEqual(MAX_MS[code.endsWith('_unavailable') ? 'outage' : 'other']);
      expect(retryDelayMs(code, failures + 1, random)).toBeGreaterThanOrEqual(delayMs);
    }),
  );
  expect(retryDelayMs('damaged', 3, 0)).toBe(2_000);
  expect(retryDelayMs('damaged', 3, 1)).toBe(1_000);
});
