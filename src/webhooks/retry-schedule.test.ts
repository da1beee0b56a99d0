import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DISABLED_AFTER_MS, GIVEN_UP_AFTER_MS, RETRY_PAUSES_MS, retryPauseMs } from './retry-schedule.ts';

const HOUR_MS = 3_600_000;
const all = (random: number) =>
  RETRY_PAUSES_MS.reduce((sum, _, at) => sum + retryPauseMs(at + 1, { random })!, 0);

test('attempts spread over at least 75 hours, so that a webhook is disabled before its last attempt is given up', () => {
  expect(all(0)).toBeGreaterThanOrEqual(75 * HOUR_MS);
  expect(all(1)).toBeLessThan(GIVEN_UP_AFTER_MS);
  expect(all(0)).toBeGreaterThan(DISABLED_AFTER_MS);
});

test('a receiver may request a longer pause, up to a day, and no attempt follows the last', () => {
  fc.assert(
    fc.property(
      fc.nat(20),
      fc.nat(100 * HOUR_MS),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempts, askedMs, random) => {
        const pause = retryPauseMs(attempts + 1, { askedMs, random });
        if (attempts >= RETRY_PAUSES_MS.length) {
          expect(pause).toBeUndefined();
          return;
        }
        expect(pause).toBeGreaterThanOrEqual(RETRY_PAUSES_MS[attempts]!);
        expect(pause).toBeGreaterThanOrEqual(Math.min(askedMs, 24 * HOUR_MS));
        expect(pause).toBeLessThanOrEqual(
          Math.ceil(Math.max(RETRY_PAUSES_MS[attempts]! * 1.1, 24 * HOUR_MS)),
        );
      },
    ),
  );
});
