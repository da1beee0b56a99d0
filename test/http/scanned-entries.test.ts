import { afterAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { analysisKey, imageKey, type ScanId } from '../../src/scan/scan-job.ts';
import { SPREAD } from '../support/foods.ts';
import { BANANA_RESULT, settleScan } from '../support/settle-scan.ts';
import { openTestServer } from '../support/test-server.ts';

const fixture = await openTestServer();
const base = `http://127.0.0.1:${fixture.port}`;
const key = await fixture.createKey(SCOPES);
afterAll(() => fixture[Symbol.asyncDispose]());

const LUNCH = { date: '2026-01-31', mealType: 'lunch' };

async function ask(method: string, path: string, credential: string, body?: object, more = {}) {
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

async function tokenOf(user_id: string): Promise<string> {
  return (await ask('POST', '/v1/auth/token', key, { client_secret: key, user_id })).json.access_token;
}

async function scan(credential: string): Promise<ScanId> {
  const body = { clientId: 'phone-1', contentType: 'image/png' };
  const { jobId, uploadUrl } = (await ask('POST', '/v1/scan/image', credential, body)).json;
  const sent = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: 'png',
  });
  await sent.text();
  expect(sent.status).toBe(200);
  for (const job of await fixture.scanStore.findByIds([jobId])) await fixture.uploadEvents.look(job);
  return jobId;
}

async function finishedScan(credential: string, result = BANANA_RESULT): Promise<ScanId> {
  const id = await scan(credential);
  await settleScan(fixture.database, id, { result });
  return id;
}

describe('a scan in the diary', () => {
  it('cannot be combined with another source', async () => {
    const scanJobId = await finishedScan(key);
    const body = { ...LUNCH, scanJobId, foodId: SPREAD.id, addedMethod: 'manual' };
    const refused = await ask('POST', '/v1/users/ann/diary/scan', key, body);
    expect(refused.status).toBe(400);
    expect(refused.json.error.details.fields).toEqual(['foodId']);
    const elsewhere = await ask('POST', '/v1/users/ann/diary', key, { ...LUNCH, scanJobId });
    expect([elsewhere.status, elsewhere.json.error.message]).toEqual([
      400,
      'The body does not fit: "scanJobId" must be sent to POST …/diary/scan.',
    ]);
  });

  it('becomes an array of one entry per item, once per Idempotency-Key', async () => {
    const scanJobId = await finishedScan(key);
    const body = { ...LUNCH, scanJobId };
    const name = { 'idempotency-key': 'lunch-of-cid' };
    const created = await ask('POST', '/v1/users/cid/diary/scan', key, body, name);
    expect([created.status, created.json]).toEqual([
      201,
      [
        {
          ...LUNCH,
          id: expect.any(String),
          version: 1,
          userId: 'cid',
          foodName: 'Banana',
          calories: 105.02,
          protein: 1.286,
          carbs: 26.951,
          fat: 0.389,
          nutrients: BANANA_RESULT.items[0]!.macros,
          foodId: 'starter:banana',
          quantity: 118,
          unit: 'g',
          addedMethod: 'image',
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ],
    ]);
    expect((await ask('POST', '/v1/users/cid/diary/scan', key, body, name)).json).toEqual(created.json);
    const listed = await ask('GET', '/v1/users/cid/diary?date=2026-01-31', key);
    expect(listed.json).toEqual(created.json);
  });

  it("is written with the user's changes to its items", async () => {
    const [banana] = BANANA_RESULT.items;
    const scanJobId = await finishedScan(key, { ...BANANA_RESULT, items: [banana!, banana!, banana!] });
    const items = [
      { index: 2, quantity: 59 },
      { index: 0, foodId: SPREAD.id, quantity: 2, unit: 'serving' },
    ];
    const created = await ask('POST', '/v1/users/dan/diary/scan', key, { ...LUNCH, scanJobId, items });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject([
      { foodName: 'Banana', calories: 52.51, quantity: 59, unit: 'g', addedMethod: 'image' },
      { foodName: SPREAD.name, foodId: SPREAD.id, calories: 161.7, quantity: 2, addedMethod: 'image' },
    ]);
    expect((await ask('GET', '/v1/users/dan/diary?date=2026-01-31', key)).json).toEqual(created.json);

    const refused = await Promise.all(
      [
        [],
        [{ index: 3 }],
        [{ index: 20 }],
        [{}],
        [{ index: 0, title: 'x' }],
        Array(21).fill({ index: 0 }),
      ].map((wrong) => ask('POST', '/v1/users/dan/diary/scan', key, { ...LUNCH, scanJobId, items: wrong })),
    );
    expect(refused.map(({ status, json }) => [status, json.error.details.fields])).toEqual([
      [400, ['items']],
      [400, ['items[0].index']],
      [400, ['items[0].index']],
      [400, ['items[0].index']],
      [400, ['items[0].title']],
      [400, ['items']],
    ]);
  });

  it('has the names that the user gave its items', async () => {
    const [banana] = BANANA_RESULT.items;
    const { foodId: _, ...label } = { ...banana!, name: 'Packaged food', origin: 'label' as const };
    const scanJobId = await finishedScan(key, { ...BANANA_RESULT, items: [label, banana!] });
    const log = (items: object[]) =>
      ask('POST', '/v1/users/gil/diary/scan', key, { ...LUNCH, scanJobId, items });
    const created = await log([
      { index: 0, name: '  Oat bar ' },
      { index: 1, name: 'My spread', foodId: SPREAD.id },
    ]);
    expect(created.json).toMatchObject([
      { foodName: 'Oat bar', calories: 105.02, addedMethod: 'image' },
      { foodName: 'My spread', foodId: SPREAD.id },
    ]);
    expect((await ask('GET', '/v1/users/gil/diary?date=2026-01-31', key)).json).toEqual(created.json);
    const refused = await Promise.all(['', ' ', 'x'.repeat(301), 5].map((name) => log([{ index: 0, name }])));
    for (const { status, json } of refused) {
      expect([status, json.error.details.fields]).toEqual([400, ['items[0].name']]);
    }
  });

  it('has the values of one serving whose weight is unknown, in both variants', async () => {
    const [banana] = BANANA_RESULT.items;
    const {
      foodId: _,
      servingRangeGrams: __,
      ...label
    } = {
      ...banana!,
      name: 'Packaged food',
      origin: 'label' as const,
      serving: { value: 1, unit: 'serving' },
      servingGrams: 0,
      weightUnknown: true as const,
    };
    const scanJobId = await finishedScan(key, { ...BANANA_RESULT, servingSize: 0, items: [label] });
    const { result } = (await ask('GET', `/v1/scan/image/${scanJobId}`, key)).json;
    expect(result.items).toMatchObject([
      { servingSize: { value: 1, unit: 'serving' }, weightUnknown: true, macros: { energy: 105.02 } },
    ]);
    expect(result).toMatchObject({ servingSize: 0, unknown: expect.arrayContaining(['servingSize']) });
    const [entry] = (await ask('POST', '/v1/users/hal/diary/scan', key, { ...LUNCH, scanJobId })).json;
    expect(entry).toMatchObject({ quantity: 1, unit: 'serving', calories: 105.02 });
    const grams = { ...LUNCH, scanJobId, items: [{ index: 0, servingGrams: 118, quantity: 59, unit: 'g' }] };
    const [half] = (await ask('POST', '/v1/users/hal/diary/scan', key, grams)).json;
    expect(half).toMatchObject({ quantity: 59, unit: 'g', calories: 52.51 });
    const plain = await ask('GET', `/scan/image/${scanJobId}`, key, undefined, { 'x-api-key': key });
    expect(plain.json.result.items).toMatchObject([
      { serving: { amount: 1, unit: 'serving' }, macros: { calories: 105.02 } },
    ]);
  });

  it('is written only on request while it is uncertain', async () => {
    const items = BANANA_RESULT.items.map((item) => ({ ...item, unsure: true }) as const);
    const scanJobId = await finishedScan(key, { ...BANANA_RESULT, items });
    const log = (more: object) =>
      ask('POST', '/v1/users/fay/diary/scan', key, { ...LUNCH, scanJobId, ...more });
    const refused = await log({});
    expect([refused.status, refused.json.error]).toMatchObject([
      400,
      {
        code: 'invalid_request',
        message: expect.stringContaining('saveUnsure'),
        details: { fields: ['scanJobId'], status: 'completed', unsure: [0] },
      },
    ]);
    expect((await ask('GET', '/v1/users/fay/diary?date=2026-01-31', key)).json).toEqual([]);
    expect((await log({ saveUnsure: true })).json).toMatchObject([{ foodName: 'Banana' }]);
    expect((await log({ items: [{ index: 0 }] })).json).toMatchObject([{ foodName: 'Banana' }]);
  });

  it('is rejected while unfinished, and for other users', async () => {
    const ann = await tokenOf('ann');
    const waiting = await scan(ann);
    const early = await ask('POST', '/v1/users/ann/diary/scan', ann, { ...LUNCH, scanJobId: waiting });
    expect([early.status, early.json.error.details]).toEqual([
      400,
      { fields: ['scanJobId'], status: 'processing' },
    ]);

    const bobs = await finishedScan(await tokenOf('bob'));
    const tenants = await finishedScan(key);
    const absent = '01kg9v3h00000xw5m8kq2nce7a';
    const tries = [
      [ann, bobs],
      [ann, tenants],
      [key, bobs],
      [key, absent],
    ] as const;
    const bodies = new Set<string>();
    for (const [credential, scanJobId] of tries) {
      const refused = await ask('POST', '/v1/users/ann/diary/scan', credential, { ...LUNCH, scanJobId });
      expect([refused.status, refused.json.error.code]).toEqual([404, 'scan_job_not_found']);
      bodies.add(JSON.stringify({ ...refused.json.error, requestId: '' }));
    }
    expect(bodies.size).toBe(1);
    expect((await ask('GET', '/v1/users/ann/diary?date=2026-01-31', ann)).json).toEqual([]);
  });
});

it("erasing a user erases only that user's scans with image and analysis", async () => {
  const [eve, ann] = [await tokenOf('eve'), await tokenOf('ann')];
  const hers = [await finishedScan(eve), await scan(eve)];
  const kept = [await finishedScan(ann), await finishedScan(key)];
  const { objects } = fixture;
  for (const id of [...hers, ...kept]) {
    const body = [new TextEncoder().encode('{}')];
    await objects.put({
      key: analysisKey(id),
      contentType: 'application/json',
      size: { maxBytes: 2 },
      body: toStream(body),
    });
  }
  expect((await ask('DELETE', '/v1/users/eve', key)).status).toBe(204);
  for (const id of hers) {
    expect((await ask('GET', `/v1/scan/image/${id}`, eve)).status).toBe(404);
    expect(await objects.find(imageKey(id))).toBeUndefined();
    expect(await objects.find(analysisKey(id))).toBeUndefined();
  }
  for (const id of kept) {
    expect((await ask('GET', `/v1/scan/image/${id}`, key)).status).toBe(200);
    expect(await objects.find(imageKey(id))).toBeDefined();
    expect(await objects.find(analysisKey(id))).toBeDefined();
  }
});

async function* toStream(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
