import { beforeEach, expect, test } from 'vitest';
import { DatabaseClock, MAX_APART_MS } from './database-clock.ts';

/** The true time. */
const TRUE_MS = 1_800_000_000_000;
/** The duration of a query to the database, and of its response. */
const WAY_MS = 20;

let elapsedMs: number;
let ownErrorMs: number;
let isAway: boolean;
let told: number[];
beforeEach(() => {
  elapsedMs = 0;
  ownErrorMs = 0;
  isAway = false;
  told = [];
});

function open(): Promise<DatabaseClock> {
  return DatabaseClock.open({
    nowMs: () => TRUE_MS + elapsedMs + ownErrorMs,
    ask: async () => {
      elapsedMs += WAY_MS;
      if (isAway) throw new Error('away');
      const theirsMs = TRUE_MS + elapsedMs;
      elapsedMs += WAY_MS;
      return theirsMs;
    },
    onChange: (aheadMs) => told.push(aheadMs),
  });
}

test("while both agree, this machine's clock is used", async () => {
  ownErrorMs = MAX_APART_MS - WAY_MS;
  const clock = await open();
  expect(clock.nowMs()).toBe(TRUE_MS + elapsedMs + ownErrorMs);
  expect(told).toEqual([]);
  clock.close();
});

test.each([70_000, -70_000])(
  'a clock that is %d ms ahead is corrected, and reported once',
  async (errorMs) => {
    ownErrorMs = errorMs;
    const clock = await open();
    await clock.adjust();
    expect(clock.nowMs()).toBe(TRUE_MS + elapsedMs);
    expect([clock.aheadMs, told]).toEqual([errorMs, [errorMs]]);
    clock.close();
  },
);

test('a clock that is right again is used again, exactly', async () => {
  ownErrorMs = 70_000;
  const clock = await open();
  ownErrorMs = 15;
  await clock.adjust();
  expect(clock.nowMs()).toBe(TRUE_MS + elapsedMs + 15);
  expect(told).toEqual([70_000, 0]);
  clock.close();
});

test('while the database is unavailable, the last known difference applies', async () => {
  ownErrorMs = 70_000;
  const clock = await open();
  isAway = true;
  await clock.adjust();
  expect(clock.aheadMs).toBe(70_000);
  clock.close();
  expect((await open()).aheadMs).toBe(0);
});

test('a slow answer is imprecise: the possible correction remains', async () => {
  const clock = await DatabaseClock.open({
    nowMs: () => TRUE_MS + elapsedMs,
    ask: async () => {
      const theirsMs = TRUE_MS + elapsedMs;
      elapsedMs += 60_000;
      return theirsMs;
    },
    onChange: (aheadMs) => told.push(aheadMs),
  });
  expect([clock.aheadMs, told]).toEqual([0, []]);
  clock.close();
});
