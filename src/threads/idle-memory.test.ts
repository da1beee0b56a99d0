import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { IdleMemory } from './idle-memory.ts';

test('garbage is collected after each time of work', async () => {
  const memory = new IdleMemory({ restMs: 1 });
  for (let times = 0; times < 2; times++) {
    const garbage = makeGarbage();
    memory.worked();
    while (isThere(garbage)) await pause(10);
    expect(isThere(garbage)).toBe(false);
  }
});

test('nothing is collected in a time of much work, whatever else is done in it', () => {
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

// In functions of their own, whose registers are gone when they have returned.

function makeGarbage(): WeakRef<object> {
  return new WeakRef({});
}

function isThere(object: WeakRef<object>): boolean {
  return object.deref() !== undefined;
}
