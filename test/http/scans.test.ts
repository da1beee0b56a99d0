import { afterAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { MAX_OBJECT_BYTES } from '../../src/blobs/object-store.ts';
import type { ScanId } from '../../src/scan/scan-job.ts';
import { EventReader } from '../support/event-reader.ts';
import { openSweeper } from '../support/open-sweeper.ts';
import { rawRequest } from '../support/raw-request.ts';
import { BANANA_RESULT, settleScan } from '../support/settle-scan.ts';
import { openTestServer } from '../support/test-server.ts';

const fixture = await openTestServer();
const base = `http://127.0.0.1:${fixture.port}`;
const key = await fixture.createKey(SCOPES);
const v1 = { authorization: `Bearer ${key}` };
const unversioned = { 'x-api-key': key };
const NEW = { clientId: 'phone-1', contentType: 'image/jpeg' };
const DAY_MS = 24 * 60 * 60_000;
const FAILURE = { code: 'no_food_detected', message: 'There is no food.', retryable: false } as const;
afterAll(() => fixture[Symbol.asyncDispose]());

async function ask(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const response = await fetch(path.startsWith('http') ? path : base + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

async function create(): Promise<{ jobId: ScanId; uploadUrl: string; streamUrl: string }> {
  return (await ask('POST', '/v1/scan/image', v1, NEW)).json;
}

/** Runs the step of a sweep for an object store without upload events. */
async function upload(address: string): Promise<number> {
  const response = await fetch(address, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: 'the bytes of a photo',
  });
  await response.text();
  const id = new URL(address).pathname.split('/').at(-1) as ScanId;
  for (const job of await fixture.scanStore.findByIds([id])) await fixture.uploadEvents.look(job);
  return response.status;
}

const settle = (id: ScanId, how: Parameters<typeof settleScan>[2]) => settleScan(fixture.database, id, how);

/** Sweeps as if `ms` had passed. */
async function sweepAfter(ms: number): Promise<void> {
  await openSweeper({ ...fixture, store: fixture.scanStore, nowMs: () => Date.now() + ms }).sweep();
}

describe('v1', () => {
  it('returns an upload URL, also for HTTP/1.0 without Host', async () => {
    const body = JSON.stringify(NEW);
    const head = `POST /v1/scan/image HTTP/1.0\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`;
    const answer = await rawRequest(
      Number(new URL(base).port),
      `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(await upload(JSON.parse(answer.body).uploadUrl)).toBe(200);
  });

  it('creates a job with an upload URL and reports its progress', async () => {
    const created = await ask('POST', '/v1/scan/image', v1, { ...NEW, imageType: 'upload' });
    expect(created.status).toBe(201);
    const { jobId, uploadUrl, status, created_at, uploadExpiresAt } = created.json;
    expect(created.headers.get('location')).toBe(`/v1/scan/image/${jobId}`);
    expect(status).toBe('upload_pending');
    expect(Date.parse(uploadExpiresAt) - Date.parse(created_at)).toBe(900_000);

    const path = `/v1/scan/image/${jobId}`;
    expect((await ask('GET', path, v1)).json).toEqual({ jobId, status, created_at, uploadExpiresAt });
    expect(await upload(uploadUrl)).toBe(200);
    expect((await ask('GET', path, v1)).json).toEqual({ jobId, status: 'processing', created_at });

    await settle(jobId, { result: BANANA_RESULT });
    const done = (await ask('GET', path, v1)).json;
    const { items: _, ...plate } = BANANA_RESULT;
    expect(done).toMatchObject({ jobId, status: 'completed', created_at, result: plate });
    expect(done.resultUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/.*\/analyses\//);
    expect(done.result.items).toEqual([
      {
        name: 'Banana',
        foodId: 'starter:banana',
        origin: 'dish',
        confidence: 0.92,
        servingSize: { value: 118, unit: 'g' },
        servingRange: { low: 90, high: 150 },
        macros: BANANA_RESULT.items[0]!.macros,
        nutrients: BANANA_RESULT.items[0]!.macros,
        alternatives: [],
      },
    ]);
  });

  it('signs the length of the image if it is given', async () => {
    const photo = 'the bytes of a photo';
    const put = async (address: string, body: string) =>
      (await fetch(address, { method: 'PUT', headers: { 'content-type': NEW.contentType }, body })).status;
    for (const [path, credential] of [
      ['/v1/scan/image', v1],
      ['/scan/image', unversioned],
    ] as const) {
      const created = await ask('POST', path, credential, { ...NEW, contentLength: photo.length });
      expect(created.status).toBe(201);
      const { uploadUrl } = created.json;
      for (const other of [`${photo}!`, photo.slice(1)]) {
        expect(await put(uploadUrl, other)).toBeGreaterThanOrEqual(400);
      }
      expect(await put(uploadUrl, photo)).toBe(200);
      for (const contentLength of [0, 1.5, '20', MAX_OBJECT_BYTES + 1]) {
        const refused = await ask('POST', path, credential, { ...NEW, contentLength });
        expect([refused.status, refused.json.error.details]).toEqual([400, { fields: ['contentLength'] }]);
      }
    }
  });

  it('reports why a scan failed', async () => {
    const { jobId, uploadUrl } = await create();
    await upload(uploadUrl);
    await settle(jobId, { failure: FAILURE });
    const { json } = await ask('GET', `/v1/scan/image/${jobId}`, v1);
    expect(json).toMatchObject({ status: 'failed', error: FAILURE });
    expect(json).not.toHaveProperty('result');
  });

  it('returns the same job to a repeated request', async () => {
    const named = { ...v1, 'idempotency-key': 'scan-1' };
    const first = await ask('POST', '/v1/scan/image', named, NEW);
    expect((await ask('POST', '/v1/scan/image', named, NEW)).json).toEqual(first.json);
  });

  it("shows a token only its user's scans, and a key all scans of its tenant", async () => {
    const tokenOf = async (userId: string) => {
      const { json } = await ask('POST', '/v1/auth/token', {}, { client_secret: key, user_id: userId });
      return { authorization: `Bearer ${json.access_token}` };
    };
    const [ana, bo] = [await tokenOf('ana'), await tokenOf('bo')];
    const { jobId } = (await ask('POST', '/v1/scan/image', ana, NEW)).json;
    const path = `/v1/scan/image/${jobId}`;
    expect((await ask('GET', path, ana)).status).toBe(200);
    expect((await ask('GET', path, v1)).status).toBe(200);
    const foreign = await ask('GET', path, { ...bo, 'x-request-id': 'same' });
    const absent = await ask('GET', '/v1/scan/image/none', { ...bo, 'x-request-id': 'same' });
    expect([foreign.status, foreign.json]).toEqual([404, absent.json]);
    const { jobId: ofTenant } = await create();
    expect((await ask('GET', `/v1/scan/image/${ofTenant}`, ana)).status).toBe(404);
  });

  it('deletes job, image and result', async () => {
    const { jobId, uploadUrl } = await create();
    await upload(uploadUrl);
    expect((await ask('DELETE', `/v1/scan/image/${jobId}`, v1)).status).toBe(204);
    expect((await ask('GET', `/v1/scan/image/${jobId}`, v1)).status).toBe(404);
    const images = await fixture.objects.list({ prefix: `images/${jobId}`, limit: 1 });
    expect(images).toEqual([]);
  });
});

it('both variants and the stream mark uncertain items and name products without nutrients', async () => {
  const { jobId, uploadUrl } = await create();
  await upload(uploadUrl);
  const unknownProducts = [{ barcode: '4006381333931', name: 'Mystery bar' }];
  const items = BANANA_RESULT.items.map((item) => ({ ...item, unsure: true }) as const);
  await settle(jobId, { result: { ...BANANA_RESULT, items, unknownProducts } });
  const stream = await EventReader.open(`${base}/v1/scan/image/${jobId}/stream`, v1);
  const answers = [
    (await ask('GET', `/v1/scan/image/${jobId}`, v1)).json,
    (await ask('GET', `/scan/image/${jobId}`, unversioned)).json,
    (await stream.next())!.data,
  ];
  for (const { result } of answers) {
    expect(result).toMatchObject({ items: [{ name: 'Banana', unsure: true }], unknownProducts });
  }
});

describe('after its retention a scan', () => {
  it('is 404 like an unknown scan, also for its stream ticket; its diary entries remain', async () => {
    const { jobId, uploadUrl, streamUrl } = await create();
    await upload(uploadUrl);
    await settle(jobId, { result: BANANA_RESULT });
    const entry = { date: '2026-01-31', mealType: 'snacks', scanJobId: jobId };
    expect((await ask('POST', '/v1/users/ann/diary/scan', v1, entry)).status).toBe(201);
    const { jobId: unused } = await create();
    await sweepAfter(29 * DAY_MS);
    expect((await ask('GET', `/v1/scan/image/${jobId}`, v1)).status).toBe(200);
    expect((await ask('GET', `/v1/scan/image/${unused}`, v1)).json.status).toBe('failed');

    await sweepAfter(60 * DAY_MS);
    const never = '01kb5f11j00000e353194f3b7c';
    const v1Named = { ...v1, 'x-request-id': 'same' };
    const unversionedNamed = { ...unversioned, 'x-request-id': 'same' };
    for (const [path, credential] of [
      ['/v1/scan/image/ID', v1Named],
      ['/v1/scan/image/ID/stream', v1Named],
      ['/scan/image/ID', unversionedNamed],
    ] as const) {
      const absent = await ask('GET', path.replace('ID', never), credential);
      expect(absent.status).toBe(404);
      for (const id of [jobId, unused]) {
        const gone = await ask('GET', path.replace('ID', id), credential);
        expect([gone.status, gone.json]).toEqual([404, absent.json]);
      }
    }
    expect((await ask('GET', streamUrl, {})).status).toBe(404);
    expect((await ask('DELETE', `/v1/scan/image/${jobId}`, v1)).status).toBe(404);
    const again = await ask('POST', '/v1/users/ann/diary/scan', v1, entry);
    expect([again.status, again.json.error.code]).toEqual([404, 'scan_job_not_found']);
    const day = await ask('GET', '/v1/users/ann/diary?date=2026-01-31', v1);
    expect(day.json).toMatchObject([{ addedMethod: 'image' }]);
    for (const prefix of [`images/${jobId}`, `analyses/${jobId}`]) {
      expect(await fixture.objects.list({ prefix, limit: 1 })).toEqual([]);
    }
  });
});

describe('unversioned', () => {
  it('is in state processing until items exist', async () => {
    const created = await ask('POST', '/scan/image', unversioned, NEW);
    expect(created.status).toBe(201);
    expect(Object.keys(created.json)).toEqual(['jobId', 'uploadUrl']);
    const { jobId, uploadUrl } = created.json;
    const path = `/scan/image/${jobId}`;
    expect(created.headers.get('location')).toBe(path);
    expect((await ask('GET', path, unversioned)).json).toEqual({ status: 'processing' });
    expect(await upload(uploadUrl)).toBe(200);
    expect((await ask('GET', path, unversioned)).json).toEqual({ status: 'processing' });
    await settle(jobId, { result: BANANA_RESULT });
    expect((await ask('GET', path, unversioned)).json).toEqual({
      status: 'complete',
      result: {
        items: [
          {
            name: 'Banana',
            serving: { amount: 118, unit: 'g' },
            macros: { calories: 105.02, protein: 1.286, carbs: 26.951, fat: 0.389 },
            nutrients: BANANA_RESULT.items[0]!.macros,
          },
        ],
      },
    });
  });

  it('reports why a scan failed', async () => {
    const { jobId, uploadUrl } = (await ask('POST', '/scan/image', unversioned, NEW)).json;
    await upload(uploadUrl);
    await settle(jobId, { failure: FAILURE });
    const { json } = await ask('GET', `/scan/image/${jobId}`, unversioned);
    expect(json).toEqual({ status: 'failed', error: FAILURE });
  });
});

describe.each([
  ['/v1/scan/image', v1],
  ['/scan/image', unversioned],
])('POST %s rejects', (path, credential) => {
  it.each([
    ['a missing clientId', { contentType: 'image/png' }, 'invalid_request', { fields: ['clientId'] }],
    ['an empty clientId', { ...NEW, clientId: '' }, 'invalid_request', { fields: ['clientId'] }],
    ['a long clientId', { ...NEW, clientId: 'x'.repeat(201) }, 'invalid_request', { fields: ['clientId'] }],
    ['a clientId with NUL', { ...NEW, clientId: 'a\0' }, 'invalid_request', { fields: ['clientId'] }],
    ['a missing contentType', { clientId: 'a' }, 'invalid_request', { fields: ['contentType'] }],
    ['an unknown field', { ...NEW, photo: 1 }, 'invalid_request', { fields: ['photo'] }],
    [
      'another type of image',
      { ...NEW, contentType: 'image/gif' },
      'invalid_content_type',
      { allowed: ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif'] },
    ],
  ])('%s', async (_, body, code, details) => {
    const { status, json } = await ask('POST', path, credential, body);
    expect([status, json.error.code, json.error.details]).toEqual([400, code, details]);
  });
});

describe('the stream', () => {
  const open = (path: string, headers: Record<string, string> = v1) =>
    EventReader.open(path.startsWith('http') ? path : base + path, headers);

  it('sends the current state and each later state, then closes', async () => {
    const { jobId, uploadUrl } = await create();
    const stream = await open(`/v1/scan/image/${jobId}/stream`);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(await stream.next()).toMatchObject({ id: '1', data: { status: 'upload_pending', jobId } });
    await upload(uploadUrl);
    expect(await stream.next()).toEqual({ id: '2', data: { status: 'processing', jobId } });
    await settle(jobId, { result: BANANA_RESULT });
    expect(await stream.next()).toMatchObject({
      id: '3',
      data: { status: 'completed', jobId, result: { name: 'Banana', calories: 105.02 } },
    });
    expect(await stream.next()).toBeUndefined();
    expect(stream.text).not.toMatch(/^event:/m);
    expect(stream.text.match(/^retry:/gm)).toHaveLength(1);
  });

  it('starts with the final state of a settled scan', async () => {
    const { jobId, uploadUrl } = await create();
    await upload(uploadUrl);
    await settle(jobId, { failure: FAILURE });
    const stream = await open(`/v1/scan/image/${jobId}/stream`);
    expect(await stream.next()).toEqual({ id: '3', data: { status: 'failed', jobId, error: FAILURE } });
    expect(await stream.next()).toBeUndefined();
  });

  it("continues after the client's last event", async () => {
    const { jobId, uploadUrl } = await create();
    await upload(uploadUrl);
    const path = `/v1/scan/image/${jobId}/stream`;
    const stream = await open(path, { ...v1, 'last-event-id': '1' });
    expect(await stream.next()).toMatchObject({ id: '2' });
    stream.close();
    await settle(jobId, { result: BANANA_RESULT });
    const resumed = await open(path, { ...v1, 'last-event-id': '2' });
    expect(await resumed.next()).toMatchObject({ id: '3', data: { status: 'completed' } });
    expect((await open(path, { ...v1, 'last-event-id': '3' })).status).toBe(204);
  });

  it('sends the state processing even if it was over before the stream opened', async () => {
    const { jobId, uploadUrl } = await create();
    const stream = await open(`/v1/scan/image/${jobId}/stream`, { ...v1, 'last-event-id': '1' });
    await upload(uploadUrl);
    await settle(jobId, { result: BANANA_RESULT });
    const statuses = [(await stream.next())?.data, (await stream.next())?.data];
    expect(statuses).toMatchObject([{ status: 'processing' }, { status: 'completed' }]);
  });

  it('ends when its scan is deleted', async () => {
    const { jobId } = await create();
    const stream = await open(`/v1/scan/image/${jobId}/stream`);
    await stream.next();
    await ask('DELETE', `/v1/scan/image/${jobId}`, v1);
    expect(await stream.next()).toBeUndefined();
  });

  it('returns its headers to HEAD and ends', async () => {
    const { jobId } = await create();
    const { status, headers, json } = await ask('HEAD', `/v1/scan/image/${jobId}/stream`, v1);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(json).toBeUndefined();
  });

  it('accepts the ticket of its streamUrl, which is valid for this scan only', async () => {
    const [one, two] = [await create(), await create()];
    const stream = await open(one.streamUrl, {});
    expect(await stream.next()).toMatchObject({ data: { status: 'upload_pending', jobId: one.jobId } });
    stream.close();
    for (const address of [
      one.streamUrl.replace(one.jobId, two.jobId),
      one.streamUrl.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A')),
      one.streamUrl.replace(/\?.*/, ''),
    ]) {
      const { status, json } = await ask('GET', address, {});
      expect([status, json.error.code]).toEqual([404, 'scan_job_not_found']);
    }
    await ask('DELETE', `/v1/scan/image/${one.jobId}`, v1);
    expect((await ask('GET', one.streamUrl, {})).status).toBe(404);
  });
});
