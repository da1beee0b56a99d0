import { OutageError } from '@larder/core/errors.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newScanId } from '../../../test/support/new-scan.ts';
import { KEEP_IMAGES_MS, KEEP_SCANS_MS, openSweptScans } from '../../../test/support/open-sweeper.ts';
import type { ObjectKey } from '../../blobs/object-store.ts';
import { analysisKey, imageKey, type ScanId } from '../scan-job.ts';
import { LEASE_MS, MAX_ATTEMPTS } from './scan-attempt.ts';
import {
  MAX_REPORTED_FAILURES,
  ORPHAN_AGE_MS,
  type ScanSweeperOptions,
  UPLOAD_GRACE_MS,
} from './scan-sweeper.ts';

const UPLOAD_EXPIRES_AT_MS = 901_000;

let scans: Awaited<ReturnType<typeof openSweptScans>>;
let sweeper: (typeof scans)['sweeper'];
let settle: (typeof scans)['settle'];
let isThere: (typeof scans)['isThere'];
beforeEach(async () => {
  scans = await openSweptScans();
  ({ sweeper, settle, isThere } = scans);
});
afterEach(() => scans[Symbol.asyncDispose]());

test('objects of a removed scan that cannot be deleted are reported, and swept later as orphans', async () => {
  const id = await scans.queue('x');
  await settle(id);
  await scans.put(analysisKey(id), '{}');
  const { sweeper: failing, told } = scans.sweeperThatTells({ objects: objectsThatKeep(analysisKey(id)) });
  scans.clock.nowMs = Date.now() + KEEP_SCANS_MS;
  await failing.sweep();
  expect([await scans.find(id), await isThere(analysisKey(id))]).toEqual([undefined, true]);
  expect(told).toEqual([{ doing: 'deleting the objects of an old scan', id }]);
  await sweeper.sweepObjects();
  expect(await isThere(analysisKey(id))).toBe(false);
});

test('abandoned jobs fail while the object store is down', async () => {
  const id = await scans.queue('x');
  await scans.create();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const nowMs = scans.clock.nowMs;
    await scans.store.claim({ nowMs, leaseUntilMs: nowMs + LEASE_MS, maxAttempts: MAX_ATTEMPTS });
    scans.clock.nowMs += LEASE_MS;
  }
  const { sweeper: away } = scans.sweeperThatTells({ look: () => Promise.reject(new OutageError('away')) });
  await expect(away.sweep()).rejects.toBeInstanceOf(OutageError);
  expect(await scans.find(id)).toMatchObject({ status: 'failed', failure: { code: 'internal_error' } });
});

test('an upload whose look-up fails does not delay others, and expires in time', async () => {
  const damaged = await scans.create({ uploadExpiresAtMs: UPLOAD_EXPIRES_AT_MS });
  const unused = await scans.create({ uploadExpiresAtMs: UPLOAD_EXPIRES_AT_MS });
  const settled = await scans.queue('x');
  await settle(settled);
  const { sweeper, told } = scans.sweeperThatTells({
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

test('no upload expires during an outage of the object store, and one failure is reported', async () => {
  const ids = [await scans.create(), await scans.create()];
  let looks = 0;
  const { sweeper, told } = scans.sweeperThatTells({
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

test('each sweep reports a limited number of failures of one kind', async () => {
  const uploadExpiresAtMs = 10 * UPLOAD_EXPIRES_AT_MS;
  for (let count = 0; count <= MAX_REPORTED_FAILURES; count++) await scans.create({ uploadExpiresAtMs });
  const { sweeper, told } = scans.sweeperThatTells({ look: () => Promise.reject(new Error('403')) });
  scans.clock.nowMs = UPLOAD_EXPIRES_AT_MS;
  await sweeper.sweep();
  expect(told).toHaveLength(MAX_REPORTED_FAILURES);
  await sweeper.sweep();
  expect(told).toHaveLength(2 * MAX_REPORTED_FAILURES);
});

test('an image that cannot be deleted does not prevent deleting others', async () => {
  const kept = await scans.queue('x');
  await settle(kept);
  // The sweep takes them in this order.
  scans.clock.nowMs += 1;
  const gone = await scans.queue('y');
  await settle(gone);
  const { sweeper, told } = scans.sweeperThatTells({ objects: objectsThatKeep(imageKey(kept)) });
  scans.clock.nowMs += KEEP_IMAGES_MS + 1;
  await sweeper.sweep();
  expect([await isThere(imageKey(kept)), await isThere(imageKey(gone))]).toEqual([true, false]);
  expect(told).toEqual([{ doing: 'deleting an image', id: kept }]);
});

test('objects that cannot be listed or deleted prevent neither other deletions nor the removal of leftovers', async () => {
  const [kept, gone] = [newScanId(), newScanId()].toSorted() as [ScanId, ScanId];
  for (const key of [imageKey(kept), analysisKey(kept), analysisKey(gone)]) await scans.put(key, 'x');
  const keeping = objectsThatKeep(analysisKey(kept));
  let isTidied = false;
  const { sweeper, told } = scans.sweeperThatTells({
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

/** An object store that can delete all objects but one. */
function objectsThatKeep(key: ObjectKey): ScanSweeperOptions['objects'] {
  const { objects } = scans;
  return {
    list: (page) => objects.list(page),
    delete: (other) => (other === key ? Promise.reject(new Error('403')) : objects.delete(other)),
    removeLeftovers: () => objects.removeLeftovers(),
  };
}
