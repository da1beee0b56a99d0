import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffMs, retry } from './retry.ts';

/** Fails `failures` times, and records the pauses. */
function open(failures: number) {
  const pauses: number[] = [];
  let attempts = 0;
  return {
    pauses,
    attempt: () => {
      if (++attempts <= failures) throw new Error(`failure ${attempts}`);
      return attempts;
    },
    pause: async (ms: number) => void pauses.push(ms),
  };
}

describe('an attempt', () => {
  test('is repeated until it succeeds, after the pauses that its failures request', async () => {
    const { attempt, pause, pauses } = open(3);
    expect(await retry(attempt, { delayMs: async (_, failures) => failures * 10, pause })).toBe(4);
    expect(pauses).toEqual([10, 20, 30]);
  });

  test('fails with the error that no other attempt follows', async () => {
    const { attempt, pause, pauses } = open(9);
    const delayMs = (error: unknown) => ((error as Error).message === 'failure 2' ? undefined : 5);
    await expect(retry(attempt, { delayMs, pause })).rejects.toThrow('failure 2');
    expect(pauses).toEqual([5]);
  });

  test('does not begin after an abort, and an abort ends a pause', async () => {
    const abort = new AbortController();
    const { attempt, pauses } = open(9);
    const delayMs = () => {
      setImmediate(() => abort.abort(new Error('enough')));
      pauses.push(1);
      return 60_000;
    };
    const options = { delayMs, signal: abort.signal };
    await expect(retry(attempt, options)).rejects.toThrow('enough');
    await expect(retry(() => expect.unreachable(), options)).rejects.toThrow('enough');
    expect(pauses).toEqual([1]);
  });

  test('that fails because of an abort fails with its reason', async () => {
    const abort = new AbortController();
    const attempt = () => {
      abort.abort(new Error('enough'));
      throw new Error('broken off');
    };
    const retrying = retry(attempt, { delayMs: () => expect.unreachable(), signal: abort.signal });
    await expect(retrying).rejects.toThrow('enough');
  });
});

test('backoff doubles up to its limit, and jitter takes off half at most', () => {
  const backoff = { firstMs: 500, maxMs: 60_000 };
  expect([1, 2, 3].map((failures) => backoffMs(backoff, failures))).toEqual([500, 1_000, 2_000]);
  expect(backoffMs(backoff, 3, 1)).toBe(1_000);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, random) => {
        const ms = backoffMs(backoff, failures, random);
        expect(ms).toBeGreaterThanOrEqual(250);
        expect(ms).toBeLessThanOrEqual(60_000);
        expect(backoffMs(backoff, failures + 1, random)).toBeGreaterThanOrEqual(ms);
      },
    ),
  );
});
