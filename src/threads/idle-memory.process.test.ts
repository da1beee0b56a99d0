import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { collectOldGarbageEarly, IdleMemory } from './idle-memory.ts';

test('garbage is collected after each busy period', async () => {
  const memory = new IdleMemory({ restMs: 1 });
  for (let times = 0; times < 2; times++) {
    const garbage = makeGarbage();
    memory.worked();
    while (isThere(garbage)) await pause(10);
    expect(isThere(garbage)).toBe(false);
  }
});

test('nothing is collected during a busy period', () => {
  vi.useFakeTimers();
  try {
    const memory = new IdleMemory();
    memory.worked();
    memory.begin();
    memory.worked();
    expect(vi.getTimerCount()).toBe(0);
    memory.end();
    expect(vi.getTimerCount()).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('old garbage remains a limited share of the memory in use', async () => {
  collectOldGarbageEarly();
  const worker = new Worker(MAKE_OLD_GARBAGE, {
    eval: true,
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  const [{ least, most }] = await once(worker, 'message');
  expect(most / least).toBeLessThan(3);
});

/** Replaces arrays that have become old, and returns the minimum and maximum of heap memory in use. */
const MAKE_OLD_GARBAGE = `
  const { getHeapStatistics } = require('node:v8');
  const inUse = Array.from({ length: 500_000 }, () => []);
  let [least, most] = [Infinity, 0];
  for (let made = 0; made < 5_000_000; made++) {
    inUse[made % inUse.length] = [made];
    if (made < inUse.length || made % 10_000 > 0) continue;
    const used = getHeapStatistics().used_heap_size;
    [least, most] = [Math.min(least, used), Math.max(most, used)];
  }
  require('node:worker_threads').parentPort.postMessage({ least, most });
`;

// Separate functions free their registers when they return.

function makeGarbage(): WeakRef<object> {
  return new WeakRef({});
}

function isThere(object: WeakRef<object>): boolean {
  return object.deref() !== undefined;
}
