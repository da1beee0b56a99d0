import { afterEach, beforeEach, expect, test } from 'vitest';
import { newScanId } from '../../../test/support/new-scan.ts';
import { openScans } from '../../../test/support/open-scans.ts';
import { OutageError } from '../../errors.ts';
import { CONNECTION_CHECK_INTERVAL_MS, REQUEST_TIMEOUT_MS } from '../../http/server/connection/limits.ts';
import { type ObjectKey, parseObjectKey } from '../../objects/object-store.ts';
import { analysisKey, imageKey, type ScanId } from '../scan-job.ts';
import { LEASE_MS, MAX_ATTEMPTS } from './scan-attempt.ts';
import {
  MAX_TOLD_FAILURES,
  ORPHAN_AGE_MS,
  ScanSweeper,
  type ScanSweeperPorts,
  UPLOAD_GRACE_MS,
} from './scan-sweeper.ts';

const KEEP_IMAGES_MS = 24 * 60 * 60_000;
const KEEP_SCANS_MS = 30 * KEEP_IMAGES_MS;
const UPLOAD_EXPIRES_AT_MS = 901_000;

let scans: Awaited<ReturnType<typeof openScans>>;
let sweeper: ScanSweeper;
beforeEach(async () => {
  scans = await openScans();
  sweeper = new ScanSweeper({
    ...scans,
    look: (scan) => scans.uploadEvents.look(scan),
    keepImagesMs: KEEP_IMAGES_MS,
    keepScansMs: KEEP_SCANS_MS,
    observer: {
      broken: (_, error) => {
        throw error;
      },
    },
  });
});
afterEach(() => scans[Symbol.asyncDispose]());

const isThere = async (key: string) => (await scans.objects.find(parseObjectKey(key))) !== undefined;

async function settle(id: ScanId): Promise<void> {
  const nowMs = scans.clock.nowMs;
  const claimed = await scans.store.claim({ nowMs, leaseUntilMs: nowMs + LEASE_MS, maxAttempts: 9 });
  expect(claimed?.job.id).toBe(id);
  const failure = { code: 'no_food_detected', message: 'No.', retryable: false } as const;
  await scans.store.settle({ ...claimed!.job, fencingToken: claimed!.fencingToken }, { failure }, nowMs);
}

test('an image of which nobody told is found', async () => {
  const id = await scans.create();
  await scans.put(imageKey(id), 'x');
  scans.clock.nowMs = 60_000;
  await sweeper.sweep();
  expect((await scans.find(id))?.status).toBe('processing');
  expect(scans.heard).toContainEqual({ kind: 'queued' });
});

test('a scan whose address was never used fails after its time, and not before', async () => {
  const id = await scans.create({ uploadExpiresAtMs: UPLOAD_EXPIRES_AT_MS });
  scans.clock.nowMs = UPLOAD_EXPIRES_AT_MS + UPLOAD_GRACE_MS - 1;
  await sweeper.sweep();
  expect((await scans.find(id))?.status).toBe('upload_pending');
  scans.clock.nowMs += 1;
  await sweeper.sweep();
  expect(await scans.find(id)).toMatchObject({ status: 'failed', failure: { code: 'upload_expired' } });
  expect(scans.heard).toEqual([{ kind: 'changed', id }]);
});

test('an image whose length was not known counts as long as it is once nothing can replace it', async () => {
  const id = await scans.queue('12345', { imageBytes: 1_000 });
  scans.clock.nowMs = Date.now() + ORPHAN_AGE_MS - 60_000;
  await sweeper.sweepObjects();
  expect((await scans.find(id))?.imageBytes).toBe(1_000);
  scans.clock.nowMs = Date.now() + ORPHAN_AGE_MS + 2_000;
  await sweeper.sweepObjects();
  expect((await scans.find(id))?.imageBytes).toBe(5);
});

test('an upload that begins at the last moment can end before its scan fails', () => {
  const timeToStoreMs = 10_000;
  expect(UPLOAD_GRACE_MS).toBeGreaterThanOrEqual(
    REQUEST_TIMEOUT_MS + CONNECTION_CHECK_INTERVAL_MS + timeToStoreMs,
  );
});

test('a job that outlived its workers too often fails', async () => {
  const id = await scans.queue('x');
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { nowMs } = scans.clock;
    await scans.store.claim({ nowMs, leaseUntilMs: nowMs + LEASE_MS, maxAttempts: MAX_ATTEMPTS });
    await sweeper.sweep();
    expect((await scans.find(id))?.status).toBe('processing');
    scans.clock.nowMs += LEASE_MS;
  }
  await sweeper.sweep();
  expect(await scans.find(id)).toMatchObject({ status: 'failed', failure: { code: 'internal_error' } });
  expect(scans.heard.at(-1)).toEqual({ kind: 'changed', id });
});

test('an image is deleted when its scan has been settled for long enough', async () => {
  const id = await scans.queue('x');
  await settle(id);
  scans.clock.nowMs += KEEP_IMAGES_MS;
  await sweeper.sweep();
  expect(await isThere(imageKey(id))).toBe(true);
  scans.clock.nowMs += 1;
  await sweeper.sweep();
  expect(await isThere(imageKey(id))).toBe(false);
  expect(await scans.store.withImageSettledBefore(scans.clock.nowMs, 10)).toEqual([]);
});

test('a scan goes with its image and analysis when it has been settled for long enough', async () => {
  const [old, young, waiting] = [await scans.queue('x'), await scans.queue('y'), await scans.create()];
  await settle(old);
  scans.clock.nowMs += 1;
  await settle(young);
  for (const id of [old, young]) await scans.put(analysisKey(id), '{}');
  scans.clock.nowMs += KEEP_SCANS_MS;
  await sweeper.sweep();
  expect(await scans.find(old)).toBeUndefined();
  expect([await isThere(imageKey(old)), await isThere(analysisKey(old))]).toEqual([false, false]);
  expect((await scans.find(young))?.status).toBe('failed');
  expect(await isThere(analysisKey(young))).toBe(true);
  expect((await scans.find(waiting))?.status).toBe('failed');

  scans.clock.nowMs += KEEP_SCANS_MS + 1;
  await sweeper.sweep();
  expect([await scans.find(young), await scans.find(waiting)]).toEqual([undefined, undefined]);
  expect(await scans.objects.list({ prefix: 'analyses/', limit: 10 })).toEqual([]);
});

test('objects of a removed scan that cannot be deleted are told of, and swept later as those without a scan', async () => {
  const id = await scans.queue('x');
  await settle(id);
  await scans.put(analysisKey(id), '{}');
  const { sweeper: failing, told } = sweeperThatTells({ objects: objectsThatKeep(analysisKey(id)) });
  scans.clock.nowMs = Date.now() + KEEP_SCANS_MS;
  await failing.sweep();
  expect([await scans.find(id), await isThere(analysisKey(id))]).toEqual([undefined, true]);
  expect(told).toEqual([{ doing: 'deleting the objects of an old scan', id }]);
  await sweeper.sweepObjects();
  expect(await isThere(analysisKey(id))).toBe(false);
});

test('objects without a scan are deleted, all others stay', async () => {
  const [gone, waiting, settled] = [newScanId(), await scans.create(), await scans.queue('x')];
  await settle(settled);
  for (const key of [imageKey(gone), analysisKey(gone), imageKey(waiting), analysisKey(settled)]) {
    await scans.put(key, 'x');
  }
  await scans.put(parseObjectKey('images/of-somebody-else'), 'x');

  scans.clock.nowMs = Date.now();
  await sweeper.sweepObjects();
  expect(await isThere(imageKey(gone))).toBe(true);
  scans.clock.nowMs += ORPHAN_AGE_MS + 2_000;
  await sweeper.sweepObjects();
  expect(await isThere(imageKey(gone))).toBe(false);
  expect(await isThere(analysisKey(gone))).toBe(false);
  for (const key of [imageKey(waiting), analysisKey(settled), 'images/of-somebody-else']) {
    expect(await isThere(key)).toBe(true);
  }
});

test('an image that comes again after it has been deleted goes as well', async () => {
  const id = await scans.queue('x');
  await settle(id);
  scans.clock.nowMs += KEEP_IMAGES_MS + 1;
  await sweeper.sweep();
  await scans.put(imageKey(id), 'again');
  await scans.put(analysisKey(id), '{}');
  scans.clock.nowMs = Date.now() + ORPHAN_AGE_MS + 2_000;
  await sweeper.sweepObjects();
  expect(await isThere(imageKey(id))).toBe(false);
  expect(await isThere(analysisKey(id))).toBe(true);
});

test('an object store that is away keeps nobody from hearing of abandoned jobs', async () => {
  const id = await scans.queue('x');
  await scans.create();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const nowMs = scans.clock.nowMs;
    await scans.store.claim({ nowMs, leaseUntilMs: nowMs + LEASE_MS, maxAttempts: MAX_ATTEMPTS });
    scans.clock.nowMs += LEASE_MS;
  }
  const away = new ScanSweeper({
    ...scans,
    look: () => Promise.reject(new OutageError('away')),
    keepImagesMs: KEEP_IMAGES_MS,
    keepScansMs: KEEP_SCANS_MS,
    observer: { broken: () => {} },
  });
  await expect(away.sweep()).rejects.toBeInstanceOf(OutageError);
  expect(await scans.find(id)).toMatchObject({ status: 'failed', failure: { code: 'internal_error' } });
});

/** Takes down what is told of. */
function sweeperThatTells(broken: Partial<ScanSweeperPorts>) {
  const told: { doing: string; id: ScanId | undefined }[] = [];
  const sweeper = new ScanSweeper({
    ...scans,
    look: (scan) => scans.uploadEvents.look(scan),
    keepImagesMs: KEEP_IMAGES_MS,
    keepScansMs: KEEP_SCANS_MS,
    observer: { broken: (doing, _, id) => told.push({ doing, id }) },
    ...broken,
  });
  return { sweeper, told };
}

test('an upload that cannot be looked at holds up no other, and expires after its time', async () => {
  const damaged = await scans.create({ uploadExpiresAtMs: UPLOAD_EXPIRES_AT_MS });
  const unused = await scans.create({ uploadExpiresAtMs: UPLOAD_EXPIRES_AT_MS });
  const settled = await scans.queue('x');
  await settle(settled);
  const { sweeper, told } = sweeperThatTells({
    look: (scan) => (scan.id === damaged ? Promise.reject(new Error('403')) : scans.uploadEvents.look(scan)),
  });
  scans.clock.nowMs = UPLOAD_EXPIRES_AT_MS + UPLOAD_GRACE_MS - 1;
  await sweeper.sweep();
  expect((await scans.find(damaged))?.status).toBe('upload_pending');
  expect(told).toEqual([{ doing: 'looking at an upload', id: damaged }]);

  scans.clock.nowMs += KEEP_IMAGES_MS;
  await sweeper.sweep();
  for (const id of [damaged, unused]) {
    expect(await scans.find(id)).toMatchObject({ status: 'failed', failure: { code: 'upload_expired' } });
    expect(scans.heard).toContainEqual({ kind: 'changed', id });
  }
  expect(await isThere(imageKey(settled))).toBe(false);
});

test('while the object store is away no upload expires, and one failure is told of', async () => {
  const ids = [await scans.create(), await scans.create()];
  let looks = 0;
  const { sweeper, told } = sweeperThatTells({
    look: () => {
      looks++;
      return Promise.reject(new OutageError('away'));
    },
  });
  scans.clock.nowMs = 10 * UPLOAD_EXPIRES_AT_MS;
  await expect(sweeper.sweep()).rejects.toBeInstanceOf(OutageError);
  expect([looks, told]).toEqual([1, []]);
  for (const id of ids) expect((await scans.find(id))?.status).toBe('upload_pending');
});

test('of many failures of one kind a few are told of, in each sweep', async () => {
  const uploadExpiresAtMs = 10 * UPLOAD_EXPIRES_AT_MS;
  for (let count = 0; count <= MAX_TOLD_FAILURES; count++) await scans.create({ uploadExpiresAtMs });
  const { sweeper, told } = sweeperThatTells({ look: () => Promise.reject(new Error('403')) });
  scans.clock.nowMs = UPLOAD_EXPIRES_AT_MS;
  await sweeper.sweep();
  expect(told).toHaveLength(MAX_TOLD_FAILURES);
  await sweeper.sweep();
  expect(told).toHaveLength(2 * MAX_TOLD_FAILURES);
});

test('an image that cannot be deleted keeps no other', async () => {
  const kept = await scans.queue('x');
  await settle(kept);
  // Swept in this order.
  scans.clock.nowMs += 1;
  const gone = await scans.queue('y');
  await settle(gone);
  const { sweeper, told } = sweeperThatTells({ objects: objectsThatKeep(imageKey(kept)) });
  scans.clock.nowMs += KEEP_IMAGES_MS + 1;
  await sweeper.sweep();
  expect([await isThere(imageKey(kept)), await isThere(imageKey(gone))]).toEqual([true, false]);
  expect(told).toEqual([{ doing: 'deleting an image', id: kept }]);
});

test('objects that cannot be listed or deleted keep no other, and leftovers go all the same', async () => {
  const [kept, gone] = [newScanId(), newScanId()].toSorted() as [ScanId, ScanId];
  for (const key of [imageKey(kept), analysisKey(kept), analysisKey(gone)]) await scans.put(key, 'x');
  const keeping = objectsThatKeep(analysisKey(kept));
  let isTidied = false;
  const { sweeper, told } = sweeperThatTells({
    objects: {
      ...keeping,
      list: (page) =>
        page.prefix === 'images/' ? Promise.reject(new Error('403')) : scans.objects.list(page),
      removeLeftovers: async () => {
        isTidied = true;
      },
    },
  });
  scans.clock.nowMs = Date.now() + ORPHAN_AGE_MS + 2_000;
  await sweeper.sweepObjects();
  expect(told).toEqual([
    { doing: 'sweeping images/', id: undefined },
    { doing: 'deleting an object without a scan', id: kept },
  ]);
  expect([await isThere(analysisKey(kept)), await isThere(analysisKey(gone)), isTidied]).toEqual([
    true,
    false,
    true,
  ]);
});

/** All objects but one can be deleted. */
function objectsThatKeep(key: ObjectKey): ScanSweeperPorts['objects'] {
  const { objects } = scans;
  return {
    list: (page) => objects.list(page),
    delete: (other) => (other === key ? Promise.reject(new Error('403')) : objects.delete(other)),
    removeLeftovers: () => objects.removeLeftovers(),
  };
}
