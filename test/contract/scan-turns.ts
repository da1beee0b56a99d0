import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Claim, ClaimedScan } from '../../src/scan/jobs/scan-queue.ts';
import type { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import type { NewScan, ScanFailure } from '../../src/scan/scan-job.ts';
import { ANY_NUMBER, newScan } from '../support/new-scan.ts';
import { type QueueStep, QueueUnderLoad } from '../support/queue-under-load.ts';
import { runs } from '../support/runs.ts';
import type { OpenScanStore } from './scan-store.ts';

const LEASE_MS = 30_000;
const failure: ScanFailure = { code: 'no_food_detected', message: 'Nothing.', retryable: false };

/** Contract of the order of claims, run over each adapter. `open` returns a store without scans. */
export function scanTurnsContract(adapter: string, open: () => Promise<OpenScanStore>): void {
  describe(`turns of a ScanStore over ${adapter}`, () => {
    let opened: OpenScanStore;
    let store: ScanStore;
    let nowMs: number;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      nowMs = 2_000;
    });
    afterEach(() => opened.close());

    async function arrive(tenant: string, userId?: string): Promise<NewScan> {
      const scan = newScan({ tenant, ...(userId !== undefined && { userId }) });
      await store.create(scan, ANY_NUMBER);
      await store.arrive(scan, { nowMs: nowMs++ });
      return scan;
    }

    async function arriveMany(count: number, tenant: string, userId?: string): Promise<NewScan[]> {
      const scans: NewScan[] = [];
      for (let index = 0; index < count; index++) scans.push(await arrive(tenant, userId));
      return scans;
    }

    async function claim(): Promise<(ClaimedScan & Claim) | undefined> {
      const claimed = await store.claim({ nowMs, leaseUntilMs: nowMs + LEASE_MS, maxAttempts: 3 });
      return claimed && { ...claimed.job, ...claimed };
    }

    /** The owners whose jobs are claimed and settled next. */
    async function nextOwners(count: number): Promise<string[]> {
      const owners: string[] = [];
      for (let index = 0; index < count; index++) {
        const claimed = await claim();
        if (claimed === undefined) break;
        owners.push(`${claimed.tenant}/${claimed.userId ?? ''}`);
        await store.settle(claimed, { failure }, nowMs);
      }
      return owners;
    }

    test("a user's only image waits for one image of a user who sent many", async () => {
      await arriveMany(30, 'acme', 'ana');
      await nextOwners(5);
      await arrive('acme', 'bo');
      const next = await nextOwners(3);
      expect(next.indexOf('acme/bo')).toBeLessThanOrEqual(1);
    });

    test('tenants take turns regardless of their number of users, and users take turns within a tenant', async () => {
      for (const userId of ['a', 'b', 'c', 'd']) await arriveMany(2, 'acme', userId);
      await arriveMany(3, 'zed', 'x');
      const next = await nextOwners(20);
      expect(next).toHaveLength(11);
      expect(next.slice(0, 6).filter((owner) => owner === 'zed/x')).toHaveLength(3);
      expect(
        next
          .filter((owner) => owner.startsWith('acme'))
          .slice(0, 4)
          .sort(),
      ).toEqual(['acme/a', 'acme/b', 'acme/c', 'acme/d']);
    });

    test('scans without a user form one owner beside the users', async () => {
      await arriveMany(10, 'acme');
      await arrive('acme', 'ana');
      expect((await nextOwners(2)).sort()).toEqual(['acme/', 'acme/ana']);
    });

    test('the longest waiting image of a user comes first', async () => {
      const scans = await arriveMany(5, 'acme', 'ana');
      const ids: string[] = [];
      for (let claimed = await claim(); claimed !== undefined; claimed = await claim()) ids.push(claimed.id);
      expect(ids).toEqual(scans.map(({ id }) => id));
    });

    test('images that arrive at once get consecutive turns', async () => {
      const scans = Array.from({ length: 20 }, () => newScan({ userId: 'ana' }));
      for (const scan of scans) await store.create(scan, ANY_NUMBER);
      await Promise.all(
        scans.map((scan, index) => (index % 2 === 0 ? store : opened.other).arrive(scan, { nowMs })),
      );
      await nextOwners(1);
      await arrive('acme', 'bo');
      expect((await nextOwners(2)).sort()).toEqual(['acme/ana', 'acme/bo']);
    });

    test('a retry is not placed behind later images', async () => {
      await arriveMany(10, 'acme', 'ana');
      await arriveMany(10, 'zed', 'x');
      const first = (await claim())!;
      await store.release(first, nowMs);
      await arriveMany(5, 'acme', 'bo');
      const ids: string[] = [];
      for (let index = 0; index < 4; index++) ids.push((await claim())!.id);
      expect(ids).toContain(first.id);
    });

    test('a job waiting for a retry neither delays nor favours others', async () => {
      await arriveMany(10, 'acme', 'ana');
      await store.giveBack((await claim())!, nowMs + 1e6);
      await nextOwners(6);
      await arriveMany(10, 'zed', 'x');
      expect((await nextOwners(4)).filter((owner) => owner === 'zed/x')).toHaveLength(2);
    });

    test('a returned job does not favour other jobs of its owner', async () => {
      await arrive('zed', 'x');
      const retryAtMs = nowMs + 1_000;
      await store.giveBack((await claim())!, retryAtMs);
      await arriveMany(20, 'acme', 'ana');
      await nextOwners(10);
      nowMs = retryAtMs;
      await arriveMany(10, 'zed', 'x');
      const next = await nextOwners(9);
      expect(next[0]).toBe('zed/x');
      expect(next.slice(1).filter((owner) => owner === 'zed/x')).toHaveLength(4);
    });

    test('an owner whose queue was empty does not overtake waiting owners', async () => {
      await arriveMany(20, 'acme', 'ana');
      await nextOwners(10);
      for (let index = 0; index < 5; index++) {
        await arrive('zed', 'x');
        expect((await nextOwners(2)).sort()).toEqual(['acme/ana', 'zed/x']);
      }
    });

    test('waiting jobs do not wait for turns of removed jobs', async () => {
      const many = await arriveMany(10, 'acme', 'ana');
      await arriveMany(10, 'zed', 'x');
      await arrive('acme', 'bo');
      await arrive('zed', 'y');
      for (const scan of many.slice(0, 9)) await store.remove(scan);
      const next = await nextOwners(4);
      expect(next.filter((owner) => owner.startsWith('acme')).sort()).toEqual(['acme/ana', 'acme/bo']);
    });

    test('with random arrivals every owner is served in turn, exactly once per job', async () => {
      const owner = fc.record({ tenant: fc.nat({ max: 2 }), user: fc.nat({ max: 3 }) });
      const step: fc.Arbitrary<QueueStep> = fc.oneof(
        { weight: 3, arbitrary: owner.map((by) => ({ kind: 'arrive', by, count: 1 }) as const) },
        {
          weight: 1,
          arbitrary: fc
            .tuple(owner, fc.integer({ min: 2, max: 12 }))
            .map(([by, count]) => ({ kind: 'arrive', by, count }) as const),
        },
        { weight: 4, arbitrary: fc.constant({ kind: 'claim' } as const) },
        {
          weight: 2,
          arbitrary: fc
            .constantFrom('settle', 'settle', 'release', 'giveBack', 'forget', 'remove')
            .chain((how) => fc.nat().map((which) => ({ kind: 'end', how, which }) as const)),
        },
        { weight: 1, arbitrary: owner.map((by) => ({ kind: 'remove', by }) as const) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
          const queue = new QueueUnderLoad(opened);
          for (const each of steps) await queue.take(each);
          await queue.drain();
          expect(queue.unfair).toEqual([]);
          expect(queue.left).toEqual([]);
        }),
        { numRuns: runs(8) },
      );
    });
  });
}
