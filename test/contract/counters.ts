import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Counters, type Tally, WINDOW_SECONDS } from '../../src/limits/counters.ts';

const START_MS = 1_800_000_000_000;

/** What every `Counters` promises; run over each adapter. `open` answers counters that have counted nothing. */
export function countersContract(adapter: string, open: () => Counters): void {
  describe(`Counters over ${adapter}`, () => {
    let counters: Counters;
    beforeEach(() => {
      counters = open();
    });

    test('of one window exactly the limit passes, and what is left is told', () => {
      const tallies = Array.from({ length: 5 }, () => counters.take('a', 3, START_MS));
      expect(tallies.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
      expect(tallies.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0]);
      expect(new Set(tallies.map(({ resetsAt }) => resetsAt))).toEqual(
        new Set([START_MS / 1000 + WINDOW_SECONDS]),
      );
    });

    test('a window opens with the first request and ends when it was said to', () => {
      const at = START_MS + 12_345;
      const { resetsAt } = counters.take('a', 1, at);
      expect(resetsAt * 1000 - at).toBeLessThanOrEqual(WINDOW_SECONDS * 1000);
      expect(counters.take('a', 1, resetsAt * 1000 - 1)).toMatchObject({ allowed: false, resetsAt });
      expect(counters.take('a', 1, resetsAt * 1000)).toMatchObject({ allowed: true });
    });

    test('a limit that was lowered meanwhile never leaves less than nothing', () => {
      for (let count = 0; count < 5; count++) counters.take('a', 5, START_MS);
      expect(counters.take('a', 2, START_MS)).toMatchObject({ allowed: false, remaining: 0 });
      expect(counters.take('a', 7, START_MS)).toMatchObject({ allowed: true, remaining: 1 });
    });

    test('names count apart, and the answers agree with a naive count', () => {
      const requests = fc.array(
        fc.record({ name: fc.constantFrom('a', 'b', 'aa', 'ab', ''), laterMs: fc.nat(20_000) }),
        {
          maxLength: 200,
        },
      );
      fc.assert(
        fc.property(requests, fc.integer({ min: 1, max: 5 }), (asked, limit) => {
          const real = open();
          const naive = naiveCounters();
          let nowMs = START_MS;
          for (const { name, laterMs } of asked) {
            nowMs += laterMs;
            expect(real.take(name, limit, nowMs)).toEqual(naive.take(name, limit, nowMs));
          }
        }),
      );
    });
  });
}

function naiveCounters(): Counters {
  const windows = new Map<string, { resetsAt: number; counted: number }>();
  return {
    take(name, limit, nowMs): Tally {
      const nowSeconds = Math.floor(nowMs / 1000);
      let window = windows.get(name);
      if (window === undefined || window.resetsAt <= nowSeconds) {
        window = { resetsAt: nowSeconds + WINDOW_SECONDS, counted: 0 };
        windows.set(name, window);
      }
      const allowed = window.counted < limit;
      if (allowed) window.counted++;
      return { allowed, remaining: limit - window.counted, resetsAt: window.resetsAt };
    },
  };
}
