import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Claim, ClaimedScan } from '../../src/scan/jobs/scan-queue.ts';
import type { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import type { NewScan, ScanFailure, ScanId, ScanRef } from '../../src/scan/scan-job.ts';
import type { ScanResult } from '../../src/scan/scan-result.ts';
import { ANY_NUMBER, newScan } from '../support/new-scan.ts';

export interface OpenScanStore {
  readonly store: ScanStore;
  /** Another connection to the same scans, as another process has it. */
  readonly other: ScanStore;
  close(): Promise<void>;
}

const LEASE_MS = 30_000;
const failure: ScanFailure = { code: 'no_food_detected', message: 'Nothing “édible” 🥧.', retryable: false };
const result: ScanResult = {
  name: 'Bänana "ripe"',
  calories: 89,
  protein: 1.1,
  carbs: 22.8,
  fat: 0.3,
  servingSize: 100,
  items: [],
};

const toRef = ({ tenant, userId, id }: ScanRef) => ({ tenant, userId, id });
const toClaimed = (claimed: ClaimedScan) => ({ ...claimed.job, ...claimed });

/** Contract of `ScanStore`, run over each adapter. `open` returns a store without scans. */
export function scanStoreContract(adapter: string, open: () => Promise<OpenScanStore>): void {
  describe(`ScanStore over ${adapter}`, () => {
    let opened: OpenScanStore;
    let store: ScanStore;
    let other: ScanStore;
    beforeEach(async () => {
      opened = await open();
      ({ store, other } = opened);
    });
    afterEach(() => opened.close());

    /** A job whose image arrived at `arrivedAtMs`. */
    async function queued(arrivedAtMs = 2_000, scan = newScan({ userId: 'ana' })): Promise<NewScan> {
      await store.create(scan, ANY_NUMBER);
      await store.arrive(scan, { nowMs: arrivedAtMs });
      return scan;
    }

    function claim(nowMs: number, from: ScanStore = store): Promise<ClaimedScan | undefined> {
      return from.claim({ nowMs, leaseUntilMs: nowMs + LEASE_MS, maxAttempts: 3 });
    }

    async function claimed(nowMs: number): Promise<ClaimedScan & Claim> {
      return toClaimed((await claim(nowMs))!);
    }

    test('a created scan is found unchanged by every process at once', async () => {
      const scan = newScan({ userId: 'ana', clientId: 'App "1" 🥧', imageType: 'upload' });
      await store.create(scan, ANY_NUMBER);
      expect(await other.find(scan)).toEqual({ ...scan, status: 'upload_pending' });
      expect(await store.find(newScan())).toBeUndefined();
      const second = newScan();
      await store.create(second, ANY_NUMBER);
      const unknown = newScan();
      for (const all of [
        await other.findAll([second, unknown, scan]),
        await other.findByIds([second.id, unknown.id, scan.id]),
      ]) {
        expect(all.map(({ id }) => id).sort()).toEqual([scan.id, second.id].sort());
      }
      expect([await store.findAll([]), await store.findByIds([])]).toEqual([[], []]);
    });

    test('creating a scan again does not change it', async () => {
      const scan = newScan({ userId: 'ana' });
      await Promise.all([store.create(scan, ANY_NUMBER), other.create(scan, ANY_NUMBER)]);
      await store.arrive(scan, { nowMs: 5_000 });
      await other.create(scan, ANY_NUMBER);
      expect(await store.find(scan)).toEqual({ ...scan, status: 'processing' });
    });

    test('a scan is found only for its tenant and user', async () => {
      const { tenant, id } = newScan();
      const scan = newScan({ id, userId: 'ana' });
      await store.create(scan, ANY_NUMBER);
      const ofNobody = newScan();
      await store.create(ofNobody, ANY_NUMBER);
      expect((await other.find({ tenant, id }))?.id).toBe(id);
      expect((await other.find({ tenant, id, userId: 'ana' }))?.id).toBe(id);
      expect(await other.find({ tenant, id, userId: 'bo' })).toBeUndefined();
      expect(await other.find({ tenant: 'zed', id })).toBeUndefined();
      expect(await other.find({ ...ofNobody, userId: 'ana' })).toBeUndefined();
      for (const stranger of [
        { ...scan, tenant: 'zed' },
        { ...scan, userId: 'bo' },
      ]) {
        expect(await store.arrive(stranger, { nowMs: 2_000 })).toBe(false);
        expect(await store.remove(stranger)).toBe(false);
      }
      expect(await store.find(ofNobody)).not.toHaveProperty('userId');
    });

    test('an image is accepted once', async () => {
      const scan = newScan();
      await store.create(scan, ANY_NUMBER);
      expect(await store.arrive(scan, { nowMs: 2_000 })).toBe(true);
      expect((await other.find(scan))?.status).toBe('processing');
      expect(await other.arrive(scan, { nowMs: 2_001 })).toBe(false);
      expect(await store.arrive(newScan(), { nowMs: 2_000 })).toBe(false);
    });

    test('only jobs with an image are claimed, the longest waiting first', async () => {
      await store.create(newScan(), ANY_NUMBER);
      expect(await claim(5_000)).toBeUndefined();
      const { id: early } = await queued(2_000);
      const { id: late } = await queued(3_000);
      expect(await claim(1_999)).toBeUndefined();
      expect((await claim(5_000))?.job.id).toBe(early);
      expect((await claim(5_000))?.job.id).toBe(late);
      expect(await claim(5_000)).toBeUndefined();
    });

    test('concurrent claims get different jobs', async () => {
      const ids = new Set<ScanId>();
      for (let index = 0; index < 20; index++) ids.add((await queued()).id);
      const claims = await Promise.all(
        Array.from({ length: 40 }, (_, index) => claim(5_000, index % 2 === 0 ? store : other)),
      );
      const got = claims.filter((each) => each !== undefined).map(({ job }) => job.id);
      expect(new Set(got).size).toBe(got.length);
      // A claim that skips locked rows may find nothing while jobs are left, but not for long.
      for (let next = await claim(5_000); next !== undefined; next = await claim(5_000))
        got.push(next.job.id);
      expect(new Set(got)).toEqual(ids);
      expect(got).toHaveLength(ids.size);
    });

    test('a settled scan keeps its result and cannot be settled again', async () => {
      const done = await queued();
      const first = await claimed(3_000);
      expect(await store.settle(first, { result }, 4_000)).toBe(true);
      expect(await other.settle(first, { failure }, 4_001)).toBe(false);
      expect(await other.find(done)).toMatchObject({ status: 'completed', settledAtMs: 4_000, result });

      const failed = await queued(2_000, newScan());
      expect(await store.settle(await claimed(5_000), { failure }, 6_000)).toBe(true);
      expect(await other.find(failed)).toMatchObject({ status: 'failed', settledAtMs: 6_000, failure });
      expect(await other.find(failed)).not.toHaveProperty('result');
      expect(await claim(1e12)).toBeUndefined();
      expect(await store.arrive(failed, { nowMs: 7_000 })).toBe(false);
    });

    test('an expired lease lets another worker claim the job and locks out the previous one', async () => {
      await queued();
      const first = await claimed(3_000);
      expect(await claim(3_000 + LEASE_MS - 1)).toBeUndefined();
      const second = (await claim(3_000 + LEASE_MS, other))!;
      expect(second.job.id).toBe(first.id);
      expect(second.attempt).toBe(2);
      expect(second.fencingToken).not.toBe(first.fencingToken);
      expect(await store.extendLease(first, 1e9)).toBe(false);
      expect(await store.release(first, 40_000)).toBe(false);
      expect(await store.settle(first, { failure }, 40_000)).toBe(false);
      expect(await other.settle(toClaimed(second), { result }, 40_001)).toBe(true);
    });

    test('an extended lease is kept', async () => {
      await queued();
      const first = await claimed(3_000);
      expect(await store.extendLease(first, 100_000)).toBe(true);
      expect(await claim(99_999)).toBeUndefined();
      expect(await claim(100_000)).toBeDefined();
    });

    test('a released job waits for its delay, and its former holder has lost it', async () => {
      await queued();
      const first = await claimed(3_000);
      expect(await store.release(first, 9_000)).toBe(true);
      expect(await store.settle(first, { result }, 4_000)).toBe(false);
      expect(await claim(8_999)).toBeUndefined();
      expect((await claim(9_000))?.attempt).toBe(2);
    });

    test('a returned job counts no attempt and can be claimed at once', async () => {
      await queued();
      const first = await claimed(3_000);
      expect(await store.giveBack(first, 3_500)).toBe(true);
      expect(await store.settle(first, { result }, 4_000)).toBe(false);
      const second = await claimed(3_500);
      expect(second.attempt).toBe(1);
      expect(second.fencingToken).not.toBe(first.fencingToken);
      expect(await store.giveBack(first, 3_600)).toBe(false);
    });

    test('a job is claimed a limited number of times, and then fails', async () => {
      const scan = await queued();
      let nowMs = 3_000;
      for (let attempt = 1; attempt <= 3; attempt++, nowMs += LEASE_MS) {
        expect((await claim(nowMs))?.attempt).toBe(attempt);
      }
      expect(await claim(nowMs)).toBeUndefined();
      const limits = { maxAttempts: 3, limit: 10 };
      expect(await store.failAbandoned(failure, { ...limits, nowMs: nowMs - 1 })).toEqual([]);
      const waiting = await queued(nowMs);
      expect(await store.failAbandoned(failure, { ...limits, nowMs })).toEqual([scan.id]);
      expect(await other.find(scan)).toMatchObject({ status: 'failed', failure });
      expect((await claim(nowMs))?.job.id).toBe(waiting.id);
    });

    test('an unused upload URL fails its scan at its expiry, unless the image came first', async () => {
      const [unused, used] = [newScan({ createdAtMs: 1_000 }), newScan({ createdAtMs: 2_000 })];
      await store.create(used, ANY_NUMBER);
      await store.create(unused, ANY_NUMBER);
      expect((await store.pendingUploads(3_000, 10)).map(({ id }) => id)).toEqual([unused.id, used.id]);
      expect(await store.pendingUploads(3_000, 1)).toHaveLength(1);
      expect(await store.pendingUploads(1_000, 10)).toEqual([]);
      await store.arrive(used, { nowMs: 2_500 });
      expect(await store.expireUpload(used, failure, 3_000)).toBe(false);
      expect(await store.expireUpload(unused, failure, 3_000)).toBe(true);
      expect(await other.find(unused)).toMatchObject({ status: 'failed', settledAtMs: 3_000, failure });
      expect(await store.pendingUploads(3_000, 10)).toEqual([]);
    });

    test('a settled scan is listed for clean-up until its image is deleted', async () => {
      const scan = await queued(2_000);
      await queued(2_500);
      await store.settle(await claimed(3_000), { result }, 4_000);
      expect(await other.withImageSettledBefore(4_000, 10)).toEqual([]);
      expect(await other.withImageSettledBefore(4_001, 10)).toEqual([toRef(scan)]);
      await store.imageDeleted(scan);
      expect(await other.withImageSettledBefore(4_001, 10)).toEqual([]);
    });

    test('only scans settled long ago are removed, each once, the oldest first', async () => {
      const settled: ScanId[] = [];
      for (const settledAtMs of [4_000, 5_000, 6_000, 7_000]) {
        const scan = await queued();
        await store.settle(await claimed(3_000), { result }, settledAtMs);
        settled.push(scan.id);
      }
      const unused = newScan();
      await store.create(unused, ANY_NUMBER);
      await store.expireUpload(unused, failure, 4_500);
      const unsettled = [newScan(), await queued()];
      await store.create(unsettled[0]!, ANY_NUMBER);

      expect(await store.removeSettledBefore(4_000, 10)).toEqual([]);
      const both = await Promise.all([
        store.removeSettledBefore(6_000, 2),
        other.removeSettledBefore(6_000, 2),
      ]);
      expect(new Set(both.flat()).size).toBe(both.flat().length);
      const rest = await other.removeSettledBefore(6_000, 10);
      expect([...both.flat(), ...rest].sort()).toEqual([settled[0], unused.id, settled[1]].sort());
      expect(await store.removeSettledBefore(9_000, 1)).toEqual([settled[2]]);
      const left = await other.findByIds([...settled, unused.id, ...unsettled.map(({ id }) => id)]);
      expect(left.map(({ id }) => id).sort()).toEqual([settled[3], ...unsettled.map(({ id }) => id)].sort());
    });

    test('a removed scan is gone, also for the worker that holds it', async () => {
      const scan = await queued();
      const held = await claimed(3_000);
      expect(await other.remove(scan)).toBe(true);
      expect(await other.remove(scan)).toBe(false);
      expect(await store.find(scan)).toBeUndefined();
      expect(await store.settle(held, { result }, 4_000)).toBe(false);
    });

    test('scans are listed by the user who owns them', async () => {
      const ana = newScan({ userId: 'ana' });
      for (const scan of [
        ana,
        newScan({ userId: 'bo' }),
        newScan(),
        newScan({ tenant: 'zed', userId: 'ana' }),
      ]) {
        await store.create(scan, ANY_NUMBER);
      }
      expect(await other.ofUser({ tenant: 'acme', userId: 'ana' }, 10)).toEqual([ana.id]);
    });

    test('concurrent creations cannot exceed the quota of unfinished scans', async () => {
      const limits = { ...ANY_NUMBER, perTenant: 7, perUser: 3 };
      const owners = ['ana', 'bo', 'cy', undefined];
      const created = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          const userId = owners[index % owners.length];
          return (index % 2 === 0 ? store : other).create(newScan(userId ? { userId } : {}), limits);
        }),
      );
      expect(created.filter((refused) => refused === undefined)).toHaveLength(7);
      expect(await store.create(newScan(), limits)).toMatchObject({ ofTenant: 7, ofUser: 0, images: 7 });
      for (const userId of ['ana', 'bo', 'cy']) {
        const mine = await store.ofUser({ tenant: 'acme', userId }, 10);
        expect(mine.length).toBeLessThanOrEqual(3);
        expect(await other.create(newScan({ userId }), limits)).toMatchObject({
          ofTenant: 7,
          ofUser: mine.length,
          images: 7,
        });
      }
      expect(await store.create(newScan({ tenant: 'zed' }), limits)).toBeUndefined();
    });

    test('concurrent creations cannot exceed the quota of images', async () => {
      const limits = { ...ANY_NUMBER, images: 7 };
      const created = await Promise.all(
        Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? store : other).create(newScan(), limits)),
      );
      expect(created.filter((refused) => refused === undefined)).toHaveLength(7);
      for (const refused of created.filter((counts) => counts !== undefined)) expect(refused.images).toBe(7);
      expect(await store.create(newScan({ tenant: 'zed' }), limits)).toBeUndefined();
    });

    test('an image counts from its upload URL until it is deleted or the URL expires', async () => {
      const limits = { ...ANY_NUMBER, images: 1 };
      const [kept, expired, removed] = Array.from({ length: 3 }, () => newScan()) as [
        NewScan,
        NewScan,
        NewScan,
      ];
      const isRefused = async (scan: NewScan) => (await other.create(scan, limits)) !== undefined;
      expect(await isRefused(kept)).toBe(false);
      expect(await isRefused(expired)).toBe(true);
      await store.arrive(kept, { nowMs: 2_000 });
      expect(await isRefused(expired)).toBe(true);
      await store.settle(await claimed(3_000), { result }, 4_000);
      expect(await isRefused(expired)).toBe(true);
      await store.imageDeleted(kept);
      expect(await isRefused(expired)).toBe(false);
      expect(await isRefused(removed)).toBe(true);
      await store.expireUpload(expired, failure, 5_000);
      expect(await isRefused(removed)).toBe(false);
      await store.remove(removed);
      expect(await isRefused(newScan())).toBe(false);
    });

    test('concurrent creations cannot exceed the quota of image bytes', async () => {
      const limits = { ...ANY_NUMBER, imageBytes: 7_500 };
      const created = await Promise.all(
        Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? store : other).create(newScan(), limits)),
      );
      expect(created.filter((refused) => refused === undefined)).toHaveLength(7);
      for (const refused of created.filter((counts) => counts !== undefined)) {
        expect(refused).toMatchObject({ images: 7, imageBytes: 7_000 });
      }
      expect(await store.create(newScan({ imageBytes: 501 }), limits)).toMatchObject({ imageBytes: 7_000 });
      expect(await store.create(newScan({ imageBytes: 500 }), limits)).toBeUndefined();
      expect(await store.create(newScan({ tenant: 'zed' }), limits)).toBeUndefined();
    });

    test('an image counts with its announced size, then its real size, until it is deleted or its URL expires', async () => {
      const limits = { ...ANY_NUMBER, imageBytes: 3_000_000_000 };
      const none = { ...ANY_NUMBER, imageBytes: 0 };
      const counted = async () => (await other.create(newScan(), none))?.imageBytes;
      const [kept, expired, removed] = [300, 20_000, 1_000].map((imageBytes) => newScan({ imageBytes })) as [
        NewScan,
        NewScan,
        NewScan,
      ];
      for (const scan of [kept, expired, removed]) await store.create(scan, limits);
      expect(await counted()).toBe(21_300);
      await store.arrive(kept, { nowMs: 2_000, imageBytes: 200 });
      expect([await counted(), (await other.find(kept))?.imageBytes]).toEqual([21_200, 200]);
      await store.arrive(removed, { nowMs: 2_000 });
      expect(await counted()).toBe(21_200);
      await store.imageMeasured(removed, 7);
      expect(await counted()).toBe(20_207);
      await store.expireUpload(expired, failure, 5_000);
      expect(await counted()).toBe(207);
      await store.remove(removed);
      expect(await counted()).toBe(200);
      await store.settle(await claimed(3_000), { result }, 4_000);
      expect(await counted()).toBe(200);
      await store.imageDeleted(kept);
      expect(await counted()).toBe(0);
    });

    test('a scan created again is counted once and not rejected', async () => {
      const limits = { ...ANY_NUMBER, perTenant: 9, perUser: 2 };
      const [first, second] = [newScan({ userId: 'ana' }), newScan({ userId: 'ana' })];
      await store.create(first, limits);
      expect(await other.create(first, limits)).toBeUndefined();
      expect(await store.create(second, limits)).toBeUndefined();
      expect(await other.create(second, limits)).toBeUndefined();
      const third = newScan({ userId: 'ana' });
      expect(await store.create(third, limits)).toMatchObject({ ofTenant: 2, ofUser: 2, images: 2 });
      expect(await store.find(third)).toBeUndefined();
    });

    test('a scan counts until it is settled or removed or its upload URL expires', async () => {
      const limits = { ...ANY_NUMBER, perTenant: 9, perUser: 1 };
      const refused = { ofTenant: 1, ofUser: 1, images: expect.any(Number), imageBytes: expect.any(Number) };
      const [settled, removed, unused, last] = Array.from({ length: 4 }, () =>
        newScan({ userId: 'ana' }),
      ) as [NewScan, NewScan, NewScan, NewScan];
      await store.create(settled, limits);
      await store.arrive(settled, { nowMs: 2_000 });
      const late = { ...limits, expiredBeforeMs: 1e12 };
      expect(await store.create(removed, late)).toEqual(refused);
      await store.settle(await claimed(3_000), { result }, 4_000);
      expect(await store.create(removed, limits)).toBeUndefined();
      expect(await store.create(unused, limits)).toEqual(refused);
      await store.remove(removed);
      expect(await store.create(unused, limits)).toBeUndefined();
      const expiring = { ...limits, expiredBeforeMs: unused.uploadExpiresAtMs };
      expect(await store.create(last, expiring)).toEqual(refused);
      expiring.expiredBeforeMs++;
      expect(await store.create(last, expiring)).toBeUndefined();
    });

    test('the depth of the queue counts waiting and processed images', async () => {
      expect(await store.depth()).toEqual({ waiting: 0, running: 0 });
      await store.create(newScan(), ANY_NUMBER);
      for (let index = 0; index < 3; index++) await queued();
      const one = await claimed(3_000);
      await claimed(3_000);
      expect(await other.depth()).toEqual({ waiting: 1, running: 2 });
      await store.settle(one, { result }, 4_000);
      expect(await other.depth()).toEqual({ waiting: 1, running: 1 });
    });
  });
}
