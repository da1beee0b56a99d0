import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EventLoopLag } from './thread-metrics.ts';

const BLOCK_MS = 300;
/** At least two checks. */
const LOOKS_MS = 50;

test('a blocked thread is noticed once, also if the watch ended before; time without a watch is not a delay', async () => {
  const told: string[] = [];
  const activity = { begin: () => told.push('begin'), end: () => told.push('end') };
  const lag = new EventLoopLag({ activity });
  lag.requested();
  lag.requested();
  expect(told).toEqual(['begin']);
  // Until the first check, and until the check that the block delayed.
  await pause(LOOKS_MS);
  block();
  await pause(LOOKS_MS);
  lag.close();
  lag.close();
  expect(told).toEqual(['begin', 'end']);
  expect(lag.takeSeconds()).toBeGreaterThanOrEqual(BLOCK_MS / 1_000);
  expect(lag.takeSeconds()).toBe(0);
  block();
  block();
  lag.requested();
  await pause(LOOKS_MS);
  expect(lag.takeSeconds()).toBeLessThan(BLOCK_MS / 1_000);
  lag.close();
});

function block(): void {
  const until = performance.now() + BLOCK_MS;
  while (performance.now() < until);
}
