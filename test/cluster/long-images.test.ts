import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { MAX_OBJECT_BYTES } from '../../src/blobs/object-store.ts';
import { examineImage } from '../../src/scan/analysis/examine-image.ts';
import type { ScanSweeper } from '../../src/scan/jobs/scan-sweeper.ts';
import { imageKey, type ScanId } from '../../src/scan/scan-job.ts';
import { openSweeper } from '../support/open-sweeper.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const TOO_LONG = Buffer.alloc(MAX_OBJECT_BYTES + 1);
const PHOTO = Buffer.from('a photo');
const DAY_MS = 24 * 60 * 60_000;

/** S3 cannot limit an unknown length, and accepts further uploads until the URL expires. */
describe.skipIf(inject('cluster') === undefined)('an image that exceeds the size limit', () => {
  let fixture: TestServer;
  let bearer: { authorization: string };
  beforeAll(async () => {
    fixture = await openTestServer();
    bearer = { authorization: `Bearer ${await fixture.createKey(SCOPES)}` };
  });
  afterAll(() => fixture?.[Symbol.asyncDispose]());

  async function newScan(): Promise<{ jobId: ScanId; uploadUrl: string }> {
    const answer = await fixture.ask({
      method: 'POST',
      url: '/v1/scan/image',
      headers: bearer,
      payload: { clientId: 'phone-1', contentType: 'image/png' },
    });
    return answer.json();
  }

  async function put(address: string, body: Buffer<ArrayBuffer>): Promise<void> {
    const answer = await fetch(address, { method: 'PUT', headers: { 'content-type': 'image/png' }, body });
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
  }

  const jobOf = async (id: ScanId) =>
    (await fixture.ask({ url: `/v1/scan/image/${id}`, headers: bearer })).json();
  const isThere = async (id: ScanId) => (await fixture.objects.find(imageKey(id))) !== undefined;

  /** Waits some seconds after the creation, because only then the image of a scan is looked up. */
  const sweeperOfLater = (): ScanSweeper =>
    openSweeper({ ...fixture, store: fixture.scanStore, nowMs: () => Date.now() + 60_000 });

  const refused = { status: 'failed', error: { code: 'image_too_large', retryable: false } };

  test('fails its scan and is deleted when the scan is requested', async () => {
    const { jobId, uploadUrl } = await newScan();
    await put(uploadUrl, TOO_LONG);
    await expect.poll(() => jobOf(jobId)).toMatchObject(refused);
    await expect.poll(() => isThere(jobId)).toBe(false);
    expect(await fixture.scanStore.withImageSettledBefore(Date.now() + DAY_MS, 10)).toEqual([]);
  });

  test('fails its scan and is deleted without a request', async () => {
    const { jobId, uploadUrl } = await newScan();
    await put(uploadUrl, TOO_LONG);
    await sweeperOfLater().sweep();
    expect(await jobOf(jobId)).toMatchObject(refused);
    expect(await isThere(jobId)).toBe(false);
  });

  test('is not read by the worker if it replaced an accepted one', async () => {
    const { jobId, uploadUrl } = await newScan();
    await put(uploadUrl, PHOTO);
    await sweeperOfLater().sweep();
    expect((await jobOf(jobId)).status).toBe('processing');
    await put(uploadUrl, TOO_LONG);
    const never = () => {
      throw new Error('nothing is looked at here');
    };
    const outcome = await examineImage(jobId, {
      objects: fixture.objects,
      analyser: { analyse: never },
      foods: { findByBarcode: never, findById: never, search: never, readNames: never },
      timeoutMs: 1_000,
    });
    expect(outcome).toMatchObject({ failure: { code: 'image_too_large' } });
    expect(await isThere(jobId)).toBe(false);
  });

  test('is deleted if it was uploaded after the end of its scan, and others stay', async () => {
    const [long, waiting, good] = [await newScan(), await newScan(), await newScan()];
    await put(long.uploadUrl, TOO_LONG);
    await put(good.uploadUrl, PHOTO);
    await sweeperOfLater().sweep();
    for (const { uploadUrl } of [long, waiting]) await put(uploadUrl, TOO_LONG);
    await sweeperOfLater().sweepObjects();
    expect(await Promise.all([long, waiting, good].map(({ jobId }) => isThere(jobId)))).toEqual([
      false,
      false,
      true,
    ]);
    expect(await jobOf(waiting.jobId)).toMatchObject(refused);
    expect((await jobOf(good.jobId)).status).toBe('processing');
  });
});
