import { toGtin } from '@larder/core/gtin.ts';
import { describe, expect, test } from 'vitest';
import { CIRCUIT_LIMITS, CircuitBreaker, type CircuitLimits } from './circuit-breaker.ts';
import { ExternalFailure, type ExternalSource } from './external-source.ts';

const gtin = toGtin('4006381333931');

function guard(find: ExternalSource['find'], limits: Partial<CircuitLimits> = {}) {
  const clock = { nowMs: 1_000_000 };
  const source = new CircuitBreaker({
    source: { name: 'shop', find },
    limits: { ...CIRCUIT_LIMITS, ...limits },
    nowMs: () => clock.nowMs,
  });
  return { source, clock };
}

describe('an external service behind its circuit breaker', () => {
  test('returns known and unknown products', async () => {
    const food = { origin: 'off', key: '1', name: 'Pens' } as const;
    expect(await guard(async () => food).source.find(gtin)).toEqual({ outcome: 'found', food });
    expect(await guard(async () => undefined).source.find(gtin)).toEqual({ outcome: 'unknown' });
  });

  test('is abandoned after the time limit, with its own reason', async () => {
    let told: AbortSignal | undefined;
    const { source } = guard(
      (_, signal) => {
        told = signal;
        return new Promise(() => {});
      },
      { timeoutMs: 5 },
    );
    expect(await source.find(gtin)).toEqual({ outcome: 'failed', reason: 'no answer within 5 ms' });
    expect(told?.aborted).toBe(true);
  });

  test('is not called after repeated failures', async () => {
    let asked = 0;
    const { source } = guard(async () => {
      asked++;
      throw new ExternalFailure('answered 500');
    });
    for (let i = 0; i < CIRCUIT_LIMITS.maxFailures; i++) {
      expect(await source.find(gtin)).toEqual({ outcome: 'failed', reason: 'answered 500' });
    }
    expect(source.isPaused).toBe(true);
    expect(await source.find(gtin)).toEqual({
      outcome: 'failed',
      reason: 'left alone after repeated failures',
    });
    expect(asked).toBe(CIRCUIT_LIMITS.maxFailures);
  });

  test('is called after a success in between: only consecutive failures count', async () => {
    let asked = 0;
    const { source } = guard(async () => {
      if (++asked % 3 === 0) return undefined;
      throw new ExternalFailure('answered 500');
    });
    for (let i = 0; i < 20; i++) await source.find(gtin);
    expect(asked).toBe(20);
  });

  test('gets the pause that it requests, up to a limit', async () => {
    let asked = 0;
    const { source, clock } = guard(async () => {
      asked++;
      throw new ExternalFailure('answered 429', { retryAfterMs: 10 ** 9 });
    });
    await source.find(gtin);
    clock.nowMs += CIRCUIT_LIMITS.maxPauseMs - 1;
    expect(await source.find(gtin)).toMatchObject({ outcome: 'failed' });
    expect(asked).toBe(1);
    clock.nowMs += 1;
    await source.find(gtin);
    expect(asked).toBe(2);
  });

  test('an error of this program is not hidden as an error of the service', async () => {
    const { source } = guard(async () => {
      throw new TypeError('ours');
    });
    await expect(source.find(gtin)).rejects.toThrow('ours');
  });
});
