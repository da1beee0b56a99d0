import { expect, test } from 'vitest';
import { DatabaseProbe } from './database-probe.ts';

/** A database that answers when the test says so, with a clock that the test sets. */
function openProbe() {
  const clock = { nowMs: 0 };
  const asked: PromiseWithResolvers<void>[] = [];
  const patience: PromiseWithResolvers<void>[] = [];
  const probe = new DatabaseProbe({
    check: () => {
      asked.push(Promise.withResolvers());
      return asked.at(-1)!.promise;
    },
    nowMs: () => clock.nowMs,
    pause: () => {
      patience.push(Promise.withResolvers());
      return patience.at(-1)!.promise;
    },
  });
  return { probe, clock, asked, patience };
}

test('reports the state of the database, and repeats it for a second without asking', async () => {
  const { probe, clock, asked } = openProbe();
  const first = [probe.isReachable(), probe.isReachable()];
  asked[0]!.resolve();
  expect(await Promise.all(first)).toEqual([true, true]);
  clock.nowMs = 999;
  expect(await probe.isReachable()).toBe(true);
  expect(asked).toHaveLength(1);
  clock.nowMs = 1_000;
  const second = probe.isReachable();
  asked[1]!.reject(new Error('away'));
  expect(await second).toBe(false);
});

test('discards a state from before the clock was set back', async () => {
  const { probe, clock, asked } = openProbe();
  const first = probe.isReachable();
  asked[0]!.resolve();
  expect(await first).toBe(true);
  clock.nowMs = -3_600_000;
  const second = probe.isReachable();
  asked[1]!.reject(new Error('away'));
  expect(await second).toBe(false);
});

test('reports a hanging database as unavailable after a second, queries it once, and reports its recovery', async () => {
  const { probe, clock, asked, patience } = openProbe();
  const first = probe.isReachable();
  patience[0]!.resolve();
  expect(await first).toBe(false);
  clock.nowMs = 5_000;
  const second = probe.isReachable();
  patience[1]!.resolve();
  expect(await second).toBe(false);
  expect(asked).toHaveLength(1);
  asked[0]!.resolve();
  expect(await probe.isReachable()).toBe(true);
});
