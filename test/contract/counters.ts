import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Counters, type LimitDecision, WINDOW_SECONDS } from '../../src/counters/counters.ts';
import { runs } from '../support/runs.ts';

export interface OpenedCounters {
  /** Two that count together, as two threads or nodes do. */
  readonly counters: Counters;
  readonly other: Counters;
  readonly nowMs: () => number;
  /** Advances the time until all windows have ended. */
  endWindows(): Promise<void>;
  close(): void;
}

/** Contract of `Counters`, run over each adapter. `open` returns counters without counts. */
export function countersContract(adapter: string, open: () => Promise<OpenedCounters>): void {
  describe(`Counters over ${adapter}`, () => {
    let opened: OpenedCounters;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());
    const take = async (name: string, limit: number) => opened.counters.take(name, limit, opened.nowMs());

    test('exactly the limit passes in one window, and the remainder is returned', async () => {
      const decisions: LimitDecision[] = [];
      for (let asked = 0; asked < 5; asked++) decisions.push(await take('a', 3));
      expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
      expect(decisions.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0]);
      expect(new Set(decisions.map(({ resetsAt }) => resetsAt)).size).toBe(1);
    });

    test('reading a window returns the next result without counting', async () => {
      const peek = async (limit: number) => opened.counters.peek('a', limit, opened.nowMs());
      expect(await peek(2)).toMatchObject({ allowed: true, limit: 2, remaining: 2 });
      const { resetsAt } = await take('a', 2);
      for (let time = 0; time < 3; time++)
        expect(await peek(2)).toMatchObject({ allowed: true, remaining: 1, resetsAt });
      expect(await take('a', 2)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await peek(2)).toEqual({ allowed: false, limit: 2, remaining: 0, resetsAt });
      expect(await opened.other.peek('a', 2, opened.nowMs())).toMatchObject({ allowed: false });
      expect(await peek(1)).toMatchObject({ allowed: false, remaining: 0 });
      await opened.endWindows();
      expect(await peek(2)).toMatchObject({ allowed: true, remaining: 2 });
    });

    test('reads and requests of one tick are distinguished', async () => {
      const asked = Array.from({ length: 3 }, () => [
        opened.counters.peek('a', 3, opened.nowMs()),
        opened.counters.take('a', 3, opened.nowMs()),
      ]);
      await Promise.all(asked.flat());
      expect(await opened.counters.peek('a', 4, opened.nowMs())).toMatchObject({ remaining: 1 });
    });

    test('a request that counts as several is allowed as a whole or not at all', async () => {
      const several = (times: number, limit = 10) => opened.counters.take('a', limit, opened.nowMs(), times);
      expect(await several(4)).toMatchObject({ allowed: true, remaining: 6 });
      expect(await several(7)).toMatchObject({ allowed: false, remaining: 6 });
      const atOnce = await Promise.all([several(4), several(4), take('a', 10), several(3), take('a', 10)]);
      const passed = atOnce.map(({ allowed }) => allowed);
      expect(passed.filter((allowed) => !allowed)).toHaveLength(2);
      expect(passed.slice(0, 2)).toEqual([true, false]);
      expect(await several(1)).toMatchObject({ allowed: false, remaining: 0 });
      expect(await several(2, 12)).toMatchObject({ allowed: true, remaining: 0 });
    });

    test('concurrent requests are answered in order', async () => {
      const decisions = await Promise.all(Array.from({ length: 5 }, () => take('a', 3)));
      expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
      expect(decisions.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0]);
    });

    test('a window starts with the first request, and the next one after its end', async () => {
      const before = opened.nowMs();
      const { resetsAt } = await take('a', 1);
      const after = opened.nowMs();
      // Windows end on whole seconds.
      expect(resetsAt * 1000).toBeGreaterThan(before + (WINDOW_SECONDS - 1) * 1000);
      expect(resetsAt * 1000).toBeLessThanOrEqual(after + (WINDOW_SECONDS + 1) * 1000);
      expect(await take('a', 1)).toMatchObject({ allowed: false, resetsAt });
      await opened.endWindows();
      expect(await take('a', 1)).toMatchObject({ allowed: true });
    });

    test('exactly the limit passes of 5,000 requests in one tick on two instances', async () => {
      const { counters, other, nowMs } = opened;
      const asked = Array.from({ length: 5_000 }, (_, at) =>
        (at % 2 === 0 ? counters : other).take('key', 777, nowMs()),
      );
      const passed = (await Promise.all(asked)).filter(({ allowed }) => allowed);
      expect(passed).toHaveLength(777);
      const left = passed.map(({ remaining }) => remaining).toSorted((a, b) => a - b);
      expect(left).toEqual(Array.from({ length: 777 }, (_, at) => at));
    });

    test('5,000 callers in one tick are counted separately', async () => {
      const decisions = await Promise.all(
        Array.from({ length: 10_000 }, (_, at) => take(`${at % 5_000}`, 1)),
      );
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5_000);
    });

    test('the remainder is never negative after a limit was lowered', async () => {
      for (let count = 0; count < 5; count++) await take('a', 5);
      expect(await take('a', 2)).toMatchObject({ allowed: false, remaining: 0 });
      expect(await take('a', 7)).toMatchObject({ allowed: true, remaining: 1 });
      expect(await take('b', 0)).toMatchObject({ allowed: false, remaining: 0 });
    });

    test('results per name equal those of a simple counter, concurrently or in sequence', async () => {
      const name = fc.constantFrom('a', 'b', 'aa', 'ab', '');
      const turns = fc.array(fc.array(name, { maxLength: 12 }), { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(turns, fc.integer({ min: 1, max: 5 }), async (asked, limit) => {
          await opened.endWindows();
          const counted = new Map<string, number>();
          for (const names of asked) {
            const decisions = await Promise.all(names.map((one) => take(one, limit)));
            for (const [at, one] of names.entries()) {
              const before = counted.get(one) ?? 0;
              if (before < limit) counted.set(one, before + 1);
              const expected = { allowed: before < limit, remaining: limit - counted.get(one)! };
              expect(decisions[at]).toMatchObject(expected);
            }
          }
        }),
        { numRuns: runs(50) },
      );
    });
  });
}
