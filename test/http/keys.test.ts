import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP_SCOPES } from '../../src/access/api-key.ts';
import { createKeyIssuer, openKeyStore } from '../../src/app/keys.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

let fixture: TestServer;
let admin: string;
beforeAll(async () => {
  fixture = await openTestServer();
  admin = await fixture.createKey(['foods:read', 'scan', 'admin'], undefined, 'acme');
});
afterAll(() => fixture[Symbol.asyncDispose]());

const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, key = admin) =>
  fixture.ask({
    method,
    url: `/v1/keys${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...(payload !== undefined && { payload }),
  });
const search = (key: string) => fixture.ask({ url: '/foods/search?q=cola', headers: { 'x-api-key': key } });
const create = async (payload: object) => (await send('POST', '', payload)).json();

it('takes an expiry with any offset', async () => {
  const { expiresAt } = await create({ scopes: ['scan'], expiresAt: '2100-01-01T01:30:00+01:30' });
  expect(expiresAt).toBe('2100-01-01T00:00:00.000Z');
});

it('a created key is shown once, works for its own tenant, and is listed without its text', async () => {
  const answer = await send('POST', '', { scopes: ['foods:read'], name: 'CI', limits: { search: 5 } });
  const { key, ...listed } = answer.json();
  expect(answer.statusCode).toBe(201);
  expect(listed).toMatchObject({ tenant: 'acme', scopes: ['foods:read'], name: 'CI', limits: { search: 5 } });
  expect((await search(key)).statusCode).toBe(200);
  const read = await fixture.ask({
    url: answer.headers['location']!,
    headers: { authorization: `Bearer ${admin}` },
  });
  // Its use is recorded during the request.
  const { lastUsedAt: _, ...found } = read.json();
  expect(found).toEqual(listed);
  const all = await send('GET', '?limit=100');
  expect(all.json()).toContainEqual(expect.objectContaining(listed));
  expect(all.body).not.toContain(key);
});

it("keys of the caller's tenant are listed page by page", async () => {
  await fixture.createKey(['scan'], undefined, 'other');
  for (let at = 0; at < 3; at++) await create({ scopes: ['scan'] });
  const all = (await send('GET', '?limit=100')).json();
  expect(new Set(all.map(({ tenant }: { tenant: string }) => tenant))).toEqual(new Set(['acme']));
  const paged: unknown[] = [];
  for (let query: string | undefined = '?limit=2'; query !== undefined; ) {
    const page = await send('GET', query);
    expect(page.json().length).toBeLessThanOrEqual(2);
    paged.push(...page.json());
    query = /^<\/v1\/keys(\?[^>]+)>; rel="next"$/.exec(String(page.headers['link']))?.[1];
  }
  expect(paged).toEqual(all);
});

it('a malformed key id is rejected without a look-up', async () => {
  expect((await send('GET', '/%00')).statusCode).toBe(404);
  for (const after of ['%00', 'x', 'none']) {
    const answer = await send('GET', `?after=${after}`);
    expect([answer.statusCode, answer.json().error.details]).toEqual([400, { parameter: 'after' }]);
  }
});

it('a revoked key is rejected', async () => {
  const { id, key } = await create({ scopes: ['foods:read'] });
  expect((await send('DELETE', `/${id}`)).statusCode).toBe(204);
  expect((await search(key)).statusCode).toBe(401);
  expect((await send('GET', `/${id}`)).json()).toHaveProperty('revokedAt');
  expect((await send('POST', `/${id}/rotate`, {})).statusCode).toBe(404);
});

it('a rotated key stays valid during its overlap with the new key', async () => {
  const { id, key } = await create({ scopes: ['foods:read'] });
  const successor = (await send('POST', `/${id}/rotate`, { overlapSeconds: 60 })).json();
  for (const text of [key, successor.key]) expect((await search(text)).statusCode).toBe(200);
  expect(successor).toMatchObject({ tenant: 'acme', scopes: ['foods:read'] });
});

it.each([{}, { 'content-type': 'application/json' }])(
  'a key can be rotated without a body: %j',
  async (more) => {
    const { id } = await create({ scopes: ['foods:read'] });
    const { statusCode } = await fixture.ask({
      method: 'POST',
      url: `/v1/keys/${id}/rotate`,
      headers: { authorization: `Bearer ${admin}`, ...more },
    });
    expect(statusCode).toBe(201);
  },
);

it('changed limits apply within a second, also to tokens of the key', async () => {
  let nowMs = Date.now();
  await using server = await openTestServer({ limited: true, nowMs: () => nowMs });
  const holder = await server.createKey(['foods:read', 'admin'], undefined, 'acme');
  const reader = await server.createKey(['foods:read'], undefined, 'acme');
  const token = await server.ask({
    method: 'POST',
    url: '/v1/auth/token',
    payload: { client_secret: reader, user_id: 'ann' },
  });
  const limits = async () =>
    Promise.all(
      [reader, token.json().access_token].map(async (bearer) => {
        const headers = { authorization: `Bearer ${bearer}` };
        return (await server.ask({ url: '/v1/foods/search?q=cola', headers })).headers['x-ratelimit-limit'];
      }),
    );
  expect(await limits()).toEqual(['100', '100']);
  const change = (search: number | null) =>
    server.ask({
      method: 'PATCH',
      url: `/v1/keys/${reader.slice(4, 16)}`,
      headers: { authorization: `Bearer ${holder}` },
      payload: { limits: { search } },
    });
  for (const [search, applied] of [
    [90, '90'],
    [null, '100'],
  ] as const) {
    expect((await change(search)).statusCode).toBe(200);
    nowMs += 1_000;
    expect(await limits()).toEqual([applied, applied]);
  }
});

it('changing a limit keeps the others and is read back unchanged', async () => {
  const { key: _, ...created } = await create({ scopes: ['scan'], limits: { search: 5, barcode: 7 } });
  const changed = await send('PATCH', `/${created.id}`, { limits: { search: null, other: 9 } });
  expect([changed.statusCode, changed.json()]).toEqual([
    200,
    { ...created, limits: { barcode: 7, other: 9 } },
  ]);
  expect((await send('GET', `/${created.id}`)).json()).toEqual(changed.json());
  expect((await send('PATCH', `/${created.id}`, {})).json()).toEqual(changed.json());
  const { limits, ...bare } = changed.json();
  expect(limits).toBeDefined();
  expect((await send('PATCH', `/${created.id}`, { limits: { barcode: null, other: null } })).json()).toEqual(
    bare,
  );
});

it.each([
  [{ limits: { search: 0 } }, 'limits.search'],
  [{ limits: { search: 1_000_001 } }, 'limits.search'],
  [{ limits: { eat: 1 } }, 'limits'],
  [{ limits: null }, 'limits'],
  [{ scopes: ['admin'] }, 'scopes'],
])('a change to %j is rejected', async (payload, field) => {
  const { id } = await create({ scopes: ['scan'] });
  const answer = await send('PATCH', `/${id}`, payload);
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request']);
  expect(answer.json().error.details.fields.join()).toContain(field);
});

describe('a key cannot grant more than it has', () => {
  const soon = Math.floor(Date.now() / 1000) + 3_600;
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  const refused = (answer: Awaited<ReturnType<typeof send>>) => [
    answer.statusCode,
    answer.json().error.code,
    answer.json().error.details,
  ];

  it('it cannot create a key with a scope that it lacks or with the scope metrics', async () => {
    const narrow = await fixture.createKey(['admin'], undefined, 'acme');
    expect(refused(await send('POST', '', { scopes: ['diary:read', 'admin'] }, narrow))).toEqual([
      403,
      'forbidden',
      { scopes: ['diary:read'] },
    ]);
    expect((await send('POST', '', { scopes: ['admin'] }, narrow)).statusCode).toBe(201);
    const first = await fixture.createKey(APP_SCOPES, undefined, 'acme');
    expect(refused(await send('POST', '', { scopes: ['metrics'] }, first))).toEqual([
      403,
      'forbidden',
      { scopes: ['metrics'] },
    ]);
  });

  it('it cannot create a key with a higher limit or a later expiry', async () => {
    const answer = await send('POST', '', { scopes: ['scan'], limits: { search: 101, barcode: 100 } });
    expect(refused(answer)).toEqual([403, 'forbidden', { limits: ['search'] }]);
    const short = await fixture.createKey(['scan', 'admin'], soon, 'acme');
    const late = { scopes: ['scan'], expiresAt: iso(soon + 1) };
    expect(refused(await send('POST', '', late, short))).toEqual([
      403,
      'forbidden',
      { expiresAt: iso(soon) },
    ]);
    const unnamed = await send('POST', '', { scopes: ['scan'] }, short);
    expect([unnamed.statusCode, unnamed.json().expiresAt]).toEqual([201, iso(soon)]);
  });

  it('it cannot raise a limit above its own, even of itself', async () => {
    const { id } = await create({ scopes: ['scan'] });
    expect(refused(await send('PATCH', `/${id}`, { limits: { search: 101, barcode: 99 } }))).toEqual([
      403,
      'forbidden',
      { limits: ['search'] },
    ]);
    expect((await send('GET', `/${id}`)).json()).not.toHaveProperty('limits');
    const { id: ownId, key } = await create({ scopes: ['admin'], limits: { search: 5 } });
    for (const search of [6, null]) {
      const answer = await send('PATCH', `/${ownId}`, { limits: { search } }, key);
      expect(refused(answer)).toEqual([403, 'forbidden', { limits: ['search'] }]);
    }
    expect((await send('PATCH', `/${ownId}`, { limits: { search: 4 } }, key)).json().limits).toEqual({
      search: 4,
    });
  });

  it('it can lower a limit that the operator raised, and keeps the other limits', async () => {
    const issuer = createKeyIssuer(openKeyStore(fixture.database));
    const { key } = await issuer.create({
      tenant: 'acme',
      scopes: ['scan'],
      limits: { search: 5_000, barcode: 9_000 },
    });
    expect((await send('PATCH', `/${key.id}`, { limits: { search: 4_999 } })).statusCode).toBe(403);
    expect((await send('PATCH', `/${key.id}`, { limits: { search: 100 } })).json().limits).toEqual({
      search: 100,
      barcode: 9_000,
    });
  });

  it('it cannot rotate a key with more access, which stays unchanged', async () => {
    const narrow = await fixture.createKey(['admin'], undefined, 'acme');
    const reader = await fixture.createKey(['diary:read'], undefined, 'acme');
    const id = reader.slice(4, 16);
    expect(refused(await send('POST', `/${id}/rotate`, {}, narrow))).toEqual([
      403,
      'forbidden',
      { scopes: ['diary:read'] },
    ]);
    expect((await send('GET', `/${id}`)).json()).not.toHaveProperty('revokedAt');
    const lasting = await fixture.createKey(['scan'], undefined, 'acme');
    const short = await fixture.createKey(['scan', 'admin'], soon, 'acme');
    expect((await send('POST', `/${lasting.slice(4, 16)}/rotate`, {}, short)).statusCode).toBe(403);
    expect((await send('DELETE', `/${id}`, undefined, narrow)).statusCode).toBe(204);
  });

  it('it cannot extend its own expiry by rotation', async () => {
    const issuer = createKeyIssuer(openKeyStore(fixture.database), () => Date.now() - 600_000);
    const { key, text } = await issuer.create({ tenant: 'acme', scopes: ['admin'], expiresAt: soon });
    const successor = await send('POST', `/${key.id}/rotate`, {}, text);
    expect([successor.statusCode, successor.json().expiresAt]).toEqual([201, iso(soon)]);
  });
});

describe('a key is not created', () => {
  it.each([
    ['without scopes', {}, 'scopes'],
    ['with no scope', { scopes: [] }, 'scopes'],
    ['with an unknown scope', { scopes: ['foods:eat'] }, 'scopes[0]'],
    ['with a limit of an unknown operation', { scopes: ['scan'], limits: { eat: 1 } }, 'limits'],
    ['with a limit of nothing', { scopes: ['scan'], limits: { search: 0 } }, 'limits.search'],
    ['with an expiry in the past', { scopes: ['scan'], expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['with an expiry that is no time', { scopes: ['scan'], expiresAt: 'soon' }, 'expiresAt'],
    ['with a name of two lines', { scopes: ['scan'], name: 'a\nb' }, 'name'],
  ])('%s', async (_, payload, field) => {
    const answer = await send('POST', '', payload);
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request']);
    expect(answer.json().error.details.fields.join()).toContain(field);
  });
});
