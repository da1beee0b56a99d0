import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it, test } from 'vitest';
import { APP_SCOPES } from '../../src/access/api-key.ts';
import type { OperationDeclaration } from '../../src/api/operation.ts';
import { ALL_OPERATIONS } from '../../src/http/all-operations.ts';
import { DeliveryStore } from '../../src/webhooks/delivery-store.ts';
import { WebhookStore } from '../../src/webhooks/webhook-store.ts';
import { openHousehold } from '../support/household.ts';
import { openTestServer } from '../support/test-server.ts';

const HOUR_MS = 3_600_000;
let nowMs = Date.now();
const house = await openHousehold({ nowMs: () => nowMs });
const { fixture, ann, origin } = house;
const bob = await house.invite('Bob');
const operatorKey = await fixture.createKey(['operator']);
afterAll(() => house[Symbol.asyncDispose]());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
type Method = OperationDeclaration['method'];
const asOperator = (method: Method, url: string, payload?: object) =>
  fixture.ask({ method, url, headers: bearer(operatorKey), ...(payload && { payload }) });

const declared: readonly OperationDeclaration[] = ALL_OPERATIONS;
const operations = declared.filter(({ path }) => path.startsWith('/v1/operator/'));

describe.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s',
  (_, { method, path, access }) => {
    const url = path.replaceAll(/:\w+/g, 'none');
    const refused = { error: { code: 'forbidden', details: { scope: 'operator' } } };

    it('rejects the session of a member, a key with all scopes of apps, and its tokens', async () => {
      const key = await fixture.createKey(APP_SCOPES);
      const payload = { client_secret: key, user_id: 'ann' };
      const token = (await fixture.ask({ method: 'POST', url: '/v1/auth/token', payload })).json();
      const callers = [{ cookie: bob.cookie, origin }, bearer(key), bearer(token.access_token)];
      for (const headers of callers) {
        const answer = await fixture.ask({ method, url, headers });
        expect([answer.statusCode, answer.json()]).toMatchObject([403, refused]);
      }
      expect(access).toMatchObject({ credential: 'bearer', scope: 'operator' });
    });

    if (method !== 'GET')
      it('rejects the session of an owner from another page', async () => {
        for (const from of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }]) {
          const answer = await fixture.ask({ method, url, headers: { cookie: ann.cookie, ...from } });
          expect([answer.statusCode, answer.json().error.details]).toEqual([403, {}]);
        }
      });
  },
);

test('a session states whether its person is an operator', async () => {
  const scopes = async (person: typeof ann) => (await person.ask('GET', '/v1/session')).json().scopes;
  expect(await scopes(ann)).toContain('operator');
  expect(await scopes(bob)).not.toContain('operator');
});

test('only an operator can grant the scope', async () => {
  const create = (key: string, scopes: readonly string[]) =>
    fixture.ask({ method: 'POST', url: '/v1/keys', headers: bearer(key), payload: { scopes } });
  const admin = await fixture.createKey(['admin', 'metrics']);
  for (const scope of ['operator', 'metrics']) {
    const answer = await create(admin, [scope]);
    expect([answer.statusCode, answer.json().error.details]).toEqual([403, { scopes: [scope] }]);
  }
  const operator = await fixture.createKey(['operator']);
  expect((await create(operator, ['operator', 'admin'])).statusCode).toBe(201);
});

test.each([
  { tenant: 'bistro' },
  { tenant: 'unheard-of', newTenant: true },
  { newTenant: true },
  { beyondQuota: true },
])('an administrator gives no key with %j', async (asked) => {
  const headers = bearer(await fixture.createKey(['admin', 'scan'], undefined, 'admins'));
  const payload = { scopes: ['scan'], ...asked };
  const answer = await fixture.ask({ method: 'POST', url: '/v1/keys', headers, payload });
  expect([answer.statusCode, answer.json().error.details]).toEqual([403, { scope: 'operator' }]);
  const own = { scopes: ['scan'], tenant: 'admins' };
  expect((await fixture.ask({ method: 'POST', url: '/v1/keys', headers, payload: own })).statusCode).toBe(
    201,
  );
});

test('an administrator sees the keys of the own tenant alone', async () => {
  const headers = bearer(await fixture.createKey(['admin'], undefined, 'admins'));
  await fixture.createKey(['scan'], undefined, 'neighbours');
  const listed = (await fixture.ask({ url: '/v1/keys', headers })).json() as { tenant: string }[];
  expect(new Set(listed.map(({ tenant }) => tenant))).toEqual(new Set(['admins']));
  const other = await fixture.ask({ url: '/v1/keys?tenant=neighbours', headers });
  expect([other.statusCode, other.json().error.details]).toEqual([403, { scope: 'operator' }]);
});

test('a key and a webhook are sent back as they were read; a changed read-only field is refused', async () => {
  const webhook = { url: 'https://app.example.com/hook', events: ['food.changed', 'diary.changed'] };
  for (const [path, body, changes] of [
    [
      '/v1/keys',
      { scopes: ['scan', 'foods:read'], limits: { search: 5 } },
      { name: 'x', scopes: ['scan'], tenant: 'x' },
    ],
    ['/v1/webhooks', webhook, { tenant: 'x', createdAt: '2020-01-01T00:00:00.000Z' }],
  ] as const) {
    const { id } = (await asOperator('POST', path, body)).json();
    const read = (await asOperator('GET', `${path}/${id}`)).json();
    const sent = await asOperator('PATCH', `${path}/${id}`, read);
    expect([sent.statusCode, sent.json()]).toEqual([200, read]);
    for (const [name, value] of Object.entries(changes)) {
      const refused = await asOperator('PATCH', `${path}/${id}`, { ...read, [name]: value });
      expect([refused.statusCode, refused.json().error.details]).toEqual([400, { fields: [name] }]);
    }
  }
});

test('an operator chooses no other address of a webhook without the scope of webhooks', async () => {
  const headers = bearer(await fixture.createKey(['webhooks', 'diary:read'], undefined, 'deli'));
  const payload = { url: 'https://app.example.com/hook', events: ['diary.changed'] };
  const { id } = (await fixture.ask({ method: 'POST', url: '/v1/webhooks', headers, payload })).json();
  const moved = await asOperator('PATCH', `/v1/webhooks/${id}`, { url: 'https://evil.example.com/' });
  expect([moved.statusCode, moved.json().error.details]).toEqual([403, { scope: 'webhooks' }]);
});

test('an owner creates, lists, changes, rotates and revokes keys of any tenant', async () => {
  const { ask } = ann;
  const asked = { tenant: 'cafe', scopes: ['foods:read'], name: 'Till', limits: { search: 5 } };
  const mistyped = await ask('POST', '/v1/keys', asked);
  expect([mistyped.statusCode, mistyped.json().error.details]).toEqual([400, { fields: ['tenant'] }]);
  const created = await ask('POST', '/v1/keys', { ...asked, newTenant: true });
  expect(created.statusCode).toBe(201);
  const { key, id } = created.json();
  const listed = async () => (await ask('GET', '/v1/keys?tenant=cafe')).json();
  expect(await listed()).toMatchObject([{ id, tenant: 'cafe', name: 'Till', limits: { search: 5 } }]);
  expect(JSON.stringify(await listed())).not.toContain(key);
  const changed = await ask('PATCH', `/v1/keys/${id}`, { limits: { search: null, barcode: 7 } });
  expect(changed.json().limits).toEqual({ barcode: 7 });
  const rotated = await ask('POST', `/v1/keys/${id}/rotate`);
  expect([rotated.statusCode, rotated.json().tenant]).toEqual([201, 'cafe']);
  for (const { headers, json } of [created, rotated]) {
    const read = await ask('GET', String(headers['location']));
    expect([read.statusCode, read.json().id]).toEqual([200, json().id]);
  }
  expect((await ask('GET', '/v1/keys/none')).statusCode).toBe(404);
  expect((await ask('POST', `/v1/keys/${id}/rotate`)).statusCode).toBe(404);
  expect((await ask('DELETE', `/v1/keys/${rotated.json().id}`)).statusCode).toBe(204);
  expect((await ask('DELETE', '/v1/keys/none')).statusCode).toBe(404);
  expect(await listed()).toMatchObject([{ revokedAt: expect.anything() }, { revokedAt: expect.anything() }]);
});

test('keys are listed in pages', async () => {
  const first = await asOperator('GET', '/v1/keys?limit=1');
  expect(first.json()).toHaveLength(1);
  expect(first.headers['link']).toContain('/v1/keys?limit=1&after=');
});

test('the quota of keys applies unless the operator overrides it', async () => {
  await using small = await openTestServer({ settings: { LARDER_KEYS_PER_TENANT: '2' } });
  const headers = bearer(await small.createKey(['operator']));
  const create = (payload: object) => small.ask({ method: 'POST', url: '/v1/keys', headers, payload });
  const asked = { tenant: 'default', scopes: ['scan'] };
  expect((await create(asked)).json().error).toMatchObject({ code: 'quota_exceeded' });
  expect((await create({ ...asked, beyondQuota: true })).statusCode).toBe(201);
});

test('the last use of a key is recorded once an hour', async () => {
  const key = await fixture.createKey(['foods:read'], undefined, 'used');
  const used = async () => (await asOperator('GET', '/v1/keys?tenant=used')).json()[0].lastUsedAt;
  const search = async () => {
    nowMs += 1_000;
    await fixture.ask({ url: '/v1/foods/search?q=banana', headers: bearer(key) });
  };
  expect(await used()).toBeUndefined();
  await search();
  await expect.poll(used).toBeDefined();
  const first = await used();
  await search();
  expect(await used()).toBe(first);
  nowMs += HOUR_MS;
  await search();
  await expect.poll(used).not.toBe(first);
});

test('the status describes the service', async () => {
  const { statusCode, json } = await asOperator('GET', '/v1/operator/status');
  expect(statusCode).toBe(200);
  const status = json();
  expect(status.health).toContainEqual({ part: 'database', ok: true });
  expect(status.storage.freeBytes).toBeGreaterThan(0);
  expect(status.quotas.map(({ name }: { name: string }) => name)).toContain('keys');
  expect(status.memoryBytes).toBeGreaterThan(1e7);
  expect(Date.parse(status.startedAt)).toBeLessThan(Date.now());
});

test('an owner sees the sessions of all people, and can end one', async () => {
  const list = async () => (await ann.ask('GET', '/v1/operator/sessions')).json();
  const cleo = await house.invite('Cleo');
  const found = await list();
  expect(found).toContainEqual(
    expect.objectContaining({ person: { id: ann.id, name: 'Ann' }, current: true }),
  );
  const { id } = found.find(({ person }: { person: { id: string } }) => person.id === cleo.id);
  expect((await ann.ask('DELETE', `/v1/operator/sessions/${id}`)).statusCode).toBe(204);
  nowMs += 1_000;
  expect((await cleo.ask('GET', '/v1/session')).statusCode).toBe(401);
  expect((await ann.ask('DELETE', `/v1/operator/sessions/${id}`)).statusCode).toBe(404);
  expect((await list()).map(({ person }: { person: { id: string } }) => person.id)).not.toContain(cleo.id);
});

test('the queue of scans and the latest failures of all tenants are listed', async () => {
  const headers = bearer(await fixture.createKey(['scan'], undefined, 'cafe'));
  const payload = { clientId: 'phone-1', contentType: 'image/jpeg' };
  const { jobId: id } = (
    await fixture.ask({ method: 'POST', url: '/v1/scan/image', headers, payload })
  ).json();
  const failure = { code: 'upload_expired', message: 'Too late.', retryable: true } as const;
  const read = async () => (await asOperator('GET', '/v1/operator/scans')).json();
  const before = (await read()).queue;
  expect(before).toMatchObject({ waiting: 0, running: 0 });
  await fixture.scanStore.expireUpload({ tenant: 'cafe', id }, failure, nowMs);
  const { queue, failures } = await read();
  expect(queue.uploadPending).toBe(before.uploadPending - 1);
  expect(failures[0]).toMatchObject({ id, tenant: 'cafe', code: 'upload_expired', message: 'Too late.' });
});

test('the webhooks of all tenants are listed with their last deliveries', async () => {
  const headers = bearer(await fixture.createKey(['webhooks', 'diary:read'], undefined, 'cafe'));
  const payload = { url: 'https://app.example.com/hook', events: ['diary.changed'] };
  const { id } = (await fixture.ask({ method: 'POST', url: '/v1/webhooks', headers, payload })).json();
  await fixture.ask({ method: 'POST', url: `/v1/webhooks/${id}/test`, headers });
  const answer = await asOperator('GET', '/v1/operator/webhooks');
  const [hook] = answer.json().filter((one: { id: string }) => one.id === id);
  expect(hook).toMatchObject({
    tenant: 'cafe',
    isEnabled: true,
    failed: 0,
    deliveries: [{ type: 'webhook.test' }],
  });
  expect(answer.body).not.toContain('whsec_');
});

test('a webhook of any tenant that was given up is enabled again, and its failed delivery sent again', async () => {
  const headers = bearer(await fixture.createKey(['webhooks', 'diary:read'], undefined, 'bistro'));
  const payload = { url: 'https://app.example.com/hook', events: ['diary.changed'] };
  const { id } = (await fixture.ask({ method: 'POST', url: '/v1/webhooks', headers, payload })).json();
  const delivery = (await fixture.ask({ method: 'POST', url: `/v1/webhooks/${id}/test`, headers })).json();
  const laterMs = Date.now() + 30 * 86_400_000;
  await new DeliveryStore(fixture.database).giveUp(laterMs, 100);
  await new WebhookStore(fixture.database).disable(id, 'failing', Date.now());
  const path = `/v1/webhooks/${id}`;
  const stranger = bearer(await fixture.createKey(['webhooks', 'diary:read'], undefined, 'stranger'));
  const again = () => asOperator('POST', `${path}/deliveries/${delivery.id}/redeliver`);
  expect((await again()).json().error.code).toBe('conflict');
  expect((await asOperator('PATCH', path, { isEnabled: true })).json()).toMatchObject({
    id,
    isEnabled: true,
  });
  expect((await again()).json()).toMatchObject({ id: delivery.id, status: 'queued', attempts: 0 });
  expect((await asOperator('PATCH', path, { isEnabled: false })).json().disabledReason).toBe('by_request');
  for (const [method, url] of [
    ['PATCH', '/v1/webhooks/none'],
    ['POST', `/v1/webhooks/none/deliveries/${delivery.id}/redeliver`],
    ['POST', `${path}/deliveries/none/redeliver`],
  ] as const) {
    const missing = await asOperator(method, url, method === 'PATCH' ? { isEnabled: true } : undefined);
    expect([missing.statusCode, missing.json().error.code]).toEqual([
      404,
      url.endsWith('none/redeliver') ? 'delivery_not_found' : 'webhook_not_found',
    ]);
  }
  for (const [method, url] of [
    ['PATCH', path],
    ['POST', `${path}/deliveries/${delivery.id}/redeliver`],
  ] as const) {
    const body = method === 'PATCH' && { payload: { isEnabled: true } };
    expect((await fixture.ask({ method, url, headers: stranger, ...body })).statusCode).toBe(404);
  }
});

test('a webhook of any tenant is created, tested and paused by the operator alone', async () => {
  const headers = bearer(await fixture.createKey(['webhooks', 'diary:read'], undefined, 'deli'));
  const body = {
    tenant: 'deli',
    url: 'https://app.example.com/hook',
    events: ['diary.changed', 'diary.changed'],
  };
  const made = await asOperator('POST', '/v1/webhooks', body);
  expect([made.statusCode, made.json()]).toMatchObject([201, { events: ['diary.changed'], isEnabled: true }]);
  expect(made.json().secret).toMatch(/^whsec_/);
  const { id } = made.json();
  const own = await fixture.ask({ method: 'GET', url: `/v1/webhooks/${id}`, headers });
  expect(own.json()).toMatchObject({ id, url: body.url });
  const path = `/v1/webhooks/${id}`;
  const stranger = bearer(await fixture.createKey(['webhooks', 'diary:read'], undefined, 'stranger'));
  expect((await asOperator('POST', `${path}/test`)).json()).toMatchObject({ type: 'webhook.test' });
  expect((await asOperator('PATCH', path, { isEnabled: false })).json().isEnabled).toBe(false);
  const paused = await asOperator('POST', `${path}/test`);
  expect([paused.statusCode, paused.json().error.code]).toEqual([409, 'conflict']);
  const nobody = await asOperator('POST', '/v1/webhooks', { ...body, tenant: 'nobody' });
  expect(nobody.json().error).toMatchObject({ code: 'invalid_request', details: { fields: ['tenant'] } });
  expect((await asOperator('POST', '/v1/webhooks/none/test')).statusCode).toBe(404);
  for (const url of ['/v1/webhooks', `${path}/test`]) {
    const payload = url.endsWith('/test') ? {} : { payload: body };
    const refused = await fixture.ask({ method: 'POST', url, headers: stranger, ...payload });
    expect(refused.statusCode).toBe(url.endsWith('/test') ? 404 : 403);
  }
});

test('a backup is the whole database, and a cluster has none', async () => {
  const { statusCode, headers, body } = await asOperator('GET', '/v1/operator/backup');
  if (inject('cluster') !== undefined) {
    expect([statusCode, JSON.parse(body).error]).toMatchObject([
      409,
      { message: expect.stringContaining('pg_dump') },
    ]);
    return;
  }
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/vnd.sqlite3']);
  expect(headers['content-disposition']).toMatch(/^attachment; filename="larder-\d{4}-\d\d-\d\d\.db"$/);
  expect(body.startsWith('SQLite format 3')).toBe(true);
  expect(await readdir(join(fixture.dataDir, 'downloads'))).toEqual([]);
});
