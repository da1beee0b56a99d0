import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openScans } from '../../../test/support/open-scans.ts';
import type { IdSource } from '../../base/time-ordered-id.ts';
import type { ScanOwner } from '../scan-job.ts';
import { UPLOAD_GRACE_MS } from './scan-sweeper.ts';
import { Scans, UPLOAD_LIFETIME_MS } from './scans.ts';

const OWNER = { tenant: 'acme', userId: 'ann' };
const REQUEST = { clientId: 'phone-1', contentType: 'image/jpeg', imageType: 'photo' } as const;

let opened: Awaited<ReturnType<typeof openScans>>;
let scans: Scans;
beforeEach(async () => {
  opened = await openScans();
  scans = new Scans({
    ...opened,
    ticketSecret: new Uint8Array(32),
    limits: { perTenant: 3, perUser: 2, images: 4, imageBytes: 1e9 },
    randomBytes,
  });
});
afterEach(() => opened[Symbol.asyncDispose]());

/** The ids of a repeated request that was first sent now. */
const repeated = (): IdSource => ({
  timeMs: opened.clock.nowMs,
  randomBytes: (count) => new Uint8Array(count).fill(7),
  mayExist: true,
});

test('a request repeated long after its failure gets the full time for its upload', async () => {
  const ids = repeated();
  opened.clock.nowMs += 2 * UPLOAD_LIFETIME_MS;
  const { job } = await scans.create(OWNER, REQUEST, ids);
  expect(job).toMatchObject({
    createdAtMs: opened.clock.nowMs,
    uploadExpiresAtMs: opened.clock.nowMs + UPLOAD_LIFETIME_MS,
  });
});

test('a repeated request gets the same scan while its upload can begin, and a conflict afterwards', async () => {
  const ids = repeated();
  const { job } = await scans.create(OWNER, REQUEST, ids);
  opened.clock.nowMs += UPLOAD_LIFETIME_MS - 1;
  expect((await scans.create(OWNER, REQUEST, ids)).job).toEqual(job);
  opened.clock.nowMs += 1;
  await expect(scans.create(OWNER, REQUEST, ids)).rejects.toMatchObject({ code: 'idempotency_conflict' });
});

test('a user with too many unfinished scans gets an error that says what to do', async () => {
  const create = (owner: ScanOwner, ids?: IdSource) => scans.create(owner, REQUEST, ids);
  const refused = (quota: string, limit: number) => ({
    code: 'quota_exceeded',
    message: expect.stringMatching(/wait .* or delete /),
    details: { quota, limit, used: limit },
  });
  const first = await create(OWNER);
  const ids = repeated();
  const second = await create(OWNER, ids);
  await expect(create(OWNER)).rejects.toMatchObject(refused('unfinished_scans_per_user', 2));
  expect((await create(OWNER, ids)).job.id).toBe(second.job.id);
  await create({ tenant: 'acme' });
  for (const owner of [{ tenant: 'acme' }, { tenant: 'acme', userId: 'bo' }]) {
    await expect(create(owner)).rejects.toMatchObject(refused('unfinished_scans_per_tenant', 3));
  }
  await scans.remove(OWNER, first.job.id);
  await create({ tenant: 'acme', userId: 'bo' });
});

test('a tenant with too many images gets an error, until some are deleted', async () => {
  const strict = new Scans({
    ...opened,
    ticketSecret: new Uint8Array(32),
    limits: { perTenant: 9, perUser: 9, images: 2, imageBytes: 1e9 },
    randomBytes,
  });
  const first = await strict.create(OWNER, REQUEST);
  await strict.create({ tenant: 'acme', userId: 'bo' }, REQUEST);
  await expect(strict.create(OWNER, REQUEST)).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringMatching(/wait .* or delete /),
    details: { quota: 'stored_images_per_tenant', limit: 2, used: 2 },
  });
  await strict.create({ tenant: 'zed' }, REQUEST);
  await strict.remove(OWNER, first.job.id);
  await strict.create(OWNER, REQUEST);
});

test('a tenant whose images have too many bytes gets an error that says what to do', async () => {
  const strict = new Scans({
    ...opened,
    ticketSecret: new Uint8Array(32),
    limits: { perTenant: 9, perUser: 9, images: 9, imageBytes: 11e6 },
    randomBytes,
  });
  await strict.create(OWNER, { ...REQUEST, contentLength: 1_000_000 });
  await expect(strict.create(OWNER, REQUEST)).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringMatching(/contentLength, wait .* or delete /),
    details: { quota: 'stored_image_bytes_per_tenant', limit: 11e6, used: 1_000_000 },
  });
  await strict.create(OWNER, { ...REQUEST, contentLength: 10_000_000 });
});

test('scans whose upload has expired do not count in their user’s limit', async () => {
  await scans.create(OWNER, REQUEST);
  await scans.create(OWNER, REQUEST);
  opened.clock.nowMs += UPLOAD_LIFETIME_MS + UPLOAD_GRACE_MS;
  await expect(scans.create(OWNER, REQUEST)).rejects.toMatchObject({ code: 'quota_exceeded' });
  opened.clock.nowMs += 1;
  await scans.create(OWNER, REQUEST);
});
