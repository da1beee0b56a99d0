import { afterEach, beforeEach, expect, test } from 'vitest';
import { newScanId } from '../../../test/support/new-scan.ts';
import { KEEP_IMAGES_MS, KEEP_SCANS_MS, openSweptScans } from '../../../test/support/open-sweeper.ts';
import { parseObjectKey } from '../../blobs/object-store.ts';
import { CONNECTION_CHECK_INTERVAL_MS, REQUEST_TIMEOUT_MS } from '../../http/server/connection/limits.ts';
import { analysisKey, imageKey } from '../scan-job.ts';
import { LEASE_MS, MAX_ATTEMPTS } from './scan-attempt.ts';
import { ORPHAN_AGE_MS, UPLOAD_GRACE_MS } from './scan-sweeper.ts';

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

test('a stored image without an upload event is found', async () => {
  const id = await scans.create();
  await scans.put(imageKey(id), 'x');
  scans.clock.nowMs = 60_000;
  await sweeper.sweep();
  expect((await scans.find(id))?.status).toBe('processing');
  expect(scans.heard).toContainEqual({ kind: 'queued' });
});

test('a scan whose upload URL stays unused fails after its time, and not before', async () => {
  const id = await scans.create({ uploadExpiresAtMs: UPLOAD_EXPIRES_AT_MS });
  scans.clock.nowMs = UPLOAD_EXPIRES_AT_MS + UPLOAD_GRACE_MS - 1;
  await sweeper.sweep();
  expect((await scans.find(id))?.status).toBe('upload_pending');
  scans.clock.nowMs += 1;
  await sweeper.sweep();
  expect(await scans.find(id)).toMatchObject({ status: 'failed', failure: { code: 'upload_expired' } });
  expect(scans.heard).toEqual([{ kind: 'changed', id }]);
});

test('an image of unknown length counts with its real length once no upload can replace it', async () => {
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

test('a job whose last attempt was abandoned fails', async () => {
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

test('an image is deleted after its retention', async () => {
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

test('a scan is removed with its image and analysis after its retention', async () => {
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

test('an image uploaded again after its deletion is deleted too', async () => {
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
