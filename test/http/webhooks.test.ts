import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/access/api-key.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const INPUT = { url: 'https://app.example.com/hooks#part', events: ['diary.changed', 'diary.changed'] };

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ settings: { LARDER_WEBHOOKS_PER_TENANT: '2' } });
});
afterAll(() => server[Symbol.asyncDispose]());

let tenants = 0;

/** Requests with a key of their own tenant. */
async function newTenant(scopes: readonly Scope[] = SCOPES, tenant = `tenant-${++tenants}`) {
  const key = await server.createKey(scopes, undefined, tenant);
  const ask = async (method: string, url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await server.ask({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
  };
  const create = async (input: object = INPUT) => (await ask('POST', '/v1/webhooks', input)).body;
  return { tenant, ask, create };
}

const codeOf = ({ status, body }: { status: number; body: { error: { code: string } } }) => [
  status,
  body.error.code,
];

test('a webhook is created, listed, read, changed and deleted; its secret is shown once', async () => {
  const { ask } = await newTenant();
  const { status, body } = await ask('POST', '/v1/webhooks', INPUT);
  expect(status).toBe(201);
  const { secret, ...webhook } = body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(webhook).toEqual({
    id: expect.any(String),
    tenant: expect.any(String),
    url: 'https://app.example.com/hooks',
    events: ['diary.changed'],
    createdAt: expect.any(String),
    createdBy: { kind: 'key', id: expect.any(String) },
    isEnabled: true,
  });
  const path = `/v1/webhooks/${webhook.id}`;
  expect((await ask('GET', path)).body).toEqual(webhook);
  expect((await ask('GET', '/v1/webhooks')).body).toEqual([webhook]);
  const change = { url: 'https://b.example.com/', events: ['food.changed'], isEnabled: false };
  expect((await ask('PATCH', path, change)).body).toEqual({
    ...webhook,
    ...change,
    disabledAt: expect.any(String),
    disabledReason: 'by_request',
  });
  expect((await ask('PATCH', path, { isEnabled: true })).body).toMatchObject({ isEnabled: true });
  expect((await ask('DELETE', path)).status).toBe(204);
  expect(codeOf(await ask('GET', path))).toEqual([404, 'webhook_not_found']);
  expect((await ask('GET', '/v1/webhooks')).body).toEqual([]);
});

test.each([
  'http://app.example.com/',
  'ftp://app.example.com/',
  'https://user:secret@app.example.com/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://169.254.169.254/latest',
  'https://10.1.2.3/',
  'https://2130706433/',
  'app.example.com',
  '',
  `https://app.example.com/${'x'.repeat(2_048)}`,
])('the address %s is rejected', async (url) => {
  const { ask, create } = await newTenant();
  expect(codeOf(await ask('POST', '/v1/webhooks', { ...INPUT, url }))).toEqual([400, 'invalid_request']);
  const { id } = await create();
  expect(codeOf(await ask('PATCH', `/v1/webhooks/${id}`, { url }))).toEqual([400, 'invalid_request']);
});

test('an event needs the scope that reads it', async () => {
  const { ask, tenant } = await newTenant(['webhooks', 'scan']);
  for (const event of ['diary.changed', 'food.changed'])
    expect(codeOf(await ask('POST', '/v1/webhooks', { ...INPUT, events: [event] }))).toEqual([
      403,
      'forbidden',
    ]);
  const { status, body } = await ask('POST', '/v1/webhooks', { ...INPUT, events: ['scan.failed'] });
  expect(status).toBe(201);
  expect(codeOf(await ask('PATCH', `/v1/webhooks/${body.id}`, { events: ['diary.changed'] }))).toEqual([
    403,
    'forbidden',
  ]);
  const { ask: askAll } = await newTenant(SCOPES, tenant);
  expect((await askAll('PATCH', `/v1/webhooks/${body.id}`, { events: ['diary.changed'] })).status).toBe(200);
});

test('a tenant cannot exceed the maximum number of webhooks', async () => {
  const { ask, create } = await newTenant();
  await create();
  await create();
  const { status, body } = await ask('POST', '/v1/webhooks', INPUT);
  expect([status, body.error.details]).toEqual([403, { quota: 'webhooks', limit: 2, used: 2 }]);
});

test('a rotation returns another secret, and no other operation returns one', async () => {
  const { ask, create } = await newTenant();
  const { id, secret } = await create();
  const { body } = await ask('POST', `/v1/webhooks/${id}/rotate`);
  expect(body.secret).toMatch(/^whsec_/);
  expect(body.secret).not.toBe(secret);
  for (const path of ['', `/${id}`, `/${id}/deliveries`])
    expect(JSON.stringify((await ask('GET', `/v1/webhooks${path}`)).body)).not.toContain('whsec_');
});

test('writes to a diary queue one delivery, a test another one; both are listed, and can be queued again', async () => {
  const { ask, create } = await newTenant();
  const { id } = await create();
  const path = `/v1/webhooks/${id}/deliveries`;
  for (const calories of [1_800, 2_000])
    expect((await ask('PUT', '/v1/users/ann/goals', { calories })).status).toBeLessThan(300);
  const test = (await ask('POST', `/v1/webhooks/${id}/test`)).body;
  const all = (await ask('GET', path)).body;
  expect(all).toMatchObject([
    { type: 'webhook.test', status: 'queued', attempts: 0 },
    { type: 'diary.changed', userId: 'ann', status: 'queued', attempts: 0 },
  ]);
  expect((await ask('GET', `${path}?limit=1`)).body).toEqual([all[0]]);
  expect((await ask('GET', `${path}?limit=1&after=${all[0].id}`)).body).toEqual([all[1]]);
  expect((await ask('POST', `${path}/${test.id}/redeliver`)).body).toMatchObject({ id: test.id });
  expect(codeOf(await ask('POST', `${path}/${'0'.repeat(32)}/redeliver`))).toEqual([
    404,
    'delivery_not_found',
  ]);
  await ask('PATCH', `/v1/webhooks/${id}`, { isEnabled: false });
  expect(codeOf(await ask('POST', `/v1/webhooks/${id}/test`))).toEqual([409, 'conflict']);
  expect((await ask('DELETE', '/v1/users/ann')).status).toBe(204);
  expect((await ask('GET', path)).body).toMatchObject([{ type: 'webhook.test' }]);
});

test('a token of a user cannot manage webhooks', async () => {
  const { ask } = await newTenant();
  const key = await server.createKey(SCOPES);
  const token = await ask('POST', '/v1/auth/token', {
    client_secret: key,
    user_id: 'ann',
    scope: 'webhooks',
  });
  expect(token.status).toBeGreaterThanOrEqual(400);
  const { body } = await ask('POST', '/v1/auth/token', { client_secret: key, user_id: 'ann' });
  const answer = await server.ask({
    url: '/v1/webhooks',
    headers: { authorization: `Bearer ${body.access_token}` },
  });
  expect([answer.statusCode, answer.json().error.details]).toEqual([403, { scope: 'webhooks' }]);
});
