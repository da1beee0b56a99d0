import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/scope.ts';
import { createKeyIssuer, openKeyStore } from '../../src/compose/keys.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

let fixture: TestServer;
let admin: string;
beforeAll(async () => {
  fixture = await openTestServer();
  admin = await fixture.createKey(['foods:read', 'scan', 'admin'], undefined, 'acme');
});
afterAll(() => fixture[Symbol.asyncDispose]());

const send = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object, key = admin) =>
  fixture.ask({
    method,
    url: `/v1/admin/keys${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...(payload !== undefined && { payload }),
  });
const search = (key: string) => fixture.ask({ url: '/foods/search?q=cola', headers: { 'x-api-key': key } });
const create = async (payload: object) => (await send('POST', '', payload)).json();

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
  expect(read.json()).toEqual(listed);
  const all = await send('GET', '?limit=100');
  expect(all.json()).toContainEqual(listed);
  expect(all.body).not.toContain(key);
});

it('keys are listed page by page, those of the own tenant only', async () => {
  await fixture.createKey(['scan'], undefined, 'other');
  for (let at = 0; at < 3; at++) await create({ scopes: ['scan'] });
  const all = (await send('GET', '?limit=100')).json();
  expect(new Set(all.map(({ tenant }: { tenant: string }) => tenant))).toEqual(new Set(['acme']));
  const paged: unknown[] = [];
  for (let query: string | undefined = '?limit=2'; query !== undefined; ) {
    const page = await send('GET', query);
    expect(page.json().length).toBeLessThanOrEqual(2);
    paged.push(...page.json());
    query = /^<\/v1\/admin\/keys(\?[^>]+)>; rel="next"$/.exec(String(page.headers['link']))?.[1];
  }
  expect(paged).toEqual(all);
});

it('what is no id of a key is not looked for', async () => {
  expect((await send('GET', '/%00')).statusCode).toBe(404);
  for (const after of ['%00', 'x', 'none']) {
    const answer = await send('GET', `?after=${after}`);
    expect([answer.statusCode, answer.json().error.details]).toEqual([400, { parameter: 'after' }]);
  }
});

it('a revoked key is refused', async () => {
  const { id, key } = await create({ scopes: ['foods:read'] });
  expect((await send('DELETE', `/${id}`)).statusCode).toBe(204);
  expect((await search(key)).statusCode).toBe(401);
  expect((await send('GET', `/${id}`)).json()).toHaveProperty('revokedAt');
  expect((await send('POST', `/${id}/rotate`, {})).statusCode).toBe(404);
});

it('a rotated key lives on while it overlaps with its successor', async () => {
  const { id, key } = await create({ scopes: ['foods:read'] });
  const successor = (await send('POST', `/${id}/rotate`, { overlapSeconds: 60 })).json();
  for (const text of [key, successor.key]) expect((await search(text)).statusCode).toBe(200);
  expect(successor).toMatchObject({ tenant: 'acme', scopes: ['foods:read'] });
});

it.each([{}, { 'content-type': 'application/json' }])('a key is rotated without a body: %j', async (more) => {
  const { id } = await create({ scopes: ['foods:read'] });
  const { statusCode } = await fixture.ask({
    method: 'POST',
    url: `/v1/admin/keys/${id}/rotate`,
    headers: { authorization: `Bearer ${admin}`, ...more },
  });
  expect(statusCode).toBe(201);
});

describe('a key gives nobody more than it holds itself', () => {
  const soon = Math.floor(Date.now() / 1000) + 3_600;
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  const refused = (answer: Awaited<ReturnType<typeof send>>) => [
    answer.statusCode,
    answer.json().error.code,
    answer.json().error.details,
  ];

  it('creates no key with a scope that it lacks, nor one with the scope metrics', async () => {
    const narrow = await fixture.createKey(['admin'], undefined, 'acme');
    expect(refused(await send('POST', '', { scopes: ['diary:read', 'admin'] }, narrow))).toEqual([
      403,
      'forbidden',
      { scopes: ['diary:read'] },
    ]);
    expect((await send('POST', '', { scopes: ['admin'] }, narrow)).statusCode).toBe(201);
    const first = await fixture.createKey(SCOPES, undefined, 'acme');
    expect(refused(await send('POST', '', { scopes: ['metrics'] }, first))).toEqual([
      403,
      'forbidden',
      { scopes: ['metrics'] },
    ]);
  });

  it('creates no key with a higher limit or a later expiry', async () => {
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

  it('rotates no key that can do more, and leaves that one as it is', async () => {
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

  it('that expires does not live longer by rotating itself', async () => {
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
    ['for another tenant', { scopes: ['scan'], tenant: 'other' }, 'tenant'],
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
