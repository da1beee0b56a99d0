import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepOwnerLink } from '../../src/people/owner-link.ts';
import { PeopleStore } from '../../src/people/people-store.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const PASSWORD = 'eggs and toast';
const DAY_MS = 86_400_000;
let nowMs = Date.now();
let fixture: TestServer;
let origin: string;
let link: string;
let cookie: string;
let userId: string;

beforeAll(async () => {
  fixture = await openTestServer({ nowMs: () => nowMs });
  origin = `http://127.0.0.1:${fixture.port}`;
  const { dataDir, database } = fixture;
  const kept = await keepOwnerLink(new PeopleStore(database), { dataDir, url: origin });
  link = kept!.text.split('#link=')[1]!;
  const joined = await post('/v1/people', { link, name: 'Ann', password: PASSWORD });
  expect(joined.statusCode).toBe(201);
  cookie = cookieOf(joined);
  userId = joined.json().id;
});
afterAll(() => fixture[Symbol.asyncDispose]());

type Answer = Awaited<ReturnType<TestServer['ask']>>;

function post(url: string, payload: object, headers: Record<string, string> = {}): Promise<Answer> {
  return fixture.ask({ method: 'POST', url, payload, headers });
}

function cookieOf({ headers }: Answer): string {
  return (headers['set-cookie'] as unknown as string[])[0]!.split(';')[0]!;
}

const signIn = (name: string, password = PASSWORD) => post('/v1/session', { name, password });
const search = (headers: Record<string, string>) =>
  fixture.ask({ url: '/v1/foods/search?q=banana', headers });
const quick = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', calories: 1 };
const write = (headers: Record<string, string>) => post(`/v1/users/${userId}/diary`, quick, headers);

test('the link creates one owner, and its file is removed', async () => {
  expect(existsSync(join(fixture.dataDir, 'owner-link.txt'))).toBe(false);
  const again = await post('/v1/people', { link, name: 'Bob', password: PASSWORD });
  expect([again.statusCode, again.json().error.code]).toEqual([404, 'link_not_found']);
});

test('a session states who is signed in, and has access to their own diary and foods', async () => {
  const { person, scopes, session } = (await fixture.ask({ url: '/v1/session', headers: { cookie } })).json();
  expect(person).toMatchObject({ id: userId, name: 'Ann', role: 'owner', access: 'own' });
  expect(scopes).toEqual([
    'foods:read',
    'foods:write',
    'scan',
    'diary:read',
    'diary:write',
    'diary:erase',
    'operator',
  ]);
  expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(90 * DAY_MS);
  expect((await search({ cookie })).statusCode).toBe(200);
  expect((await write({ cookie, origin })).statusCode).toBe(201);
});

test('a session has no access to other users or metrics', async () => {
  for (const url of ['/v1/users/bob/diary?date=2030-01-01', '/v1/users'])
    expect((await fixture.ask({ url, headers: { cookie } })).statusCode).toBe(403);
  for (const url of ['/metrics', '/foods/search?q=banana'])
    expect((await fixture.ask({ url, headers: { cookie } })).statusCode).toBe(401);
});

test.each([
  ['of a page of another origin', { origin: 'https://evil.example' }],
  ['of another port of the machine', { origin: 'http://127.0.0.1:1' }],
  ['of a page without an origin', { origin: 'null' }],
  ['that names no page', {}],
  ['of another site', { 'sec-fetch-site': 'cross-site' }],
  ['of another host of the site', { 'sec-fetch-site': 'same-site' }],
])('a change with a cookie %s is rejected', async (_, headers) => {
  const answer = await write({ cookie, ...headers });
  expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'forbidden']);
});

test.each([
  ['of a page of another origin', { origin: 'https://evil.example' }, 403],
  ['of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['of the page', { 'sec-fetch-site': 'same-origin' }, 200],
  ['that a person typed', { 'sec-fetch-site': 'none' }, 200],
])('reading with a cookie %s', async (_, headers, status) => {
  expect((await search({ cookie, ...(headers as Record<string, string>) })).statusCode).toBe(status);
});

test('a cookie is ignored beside an Authorization header', async () => {
  expect((await search({ cookie, authorization: 'Bearer nope' })).statusCode).toBe(401);
  const owned = { cookie, authorization: `Bearer ${fixture.key}` };
  expect((await fixture.ask({ url: '/v1/session', headers: owned })).statusCode).toBe(404);
});

test('a name is matched regardless of case and accents, and an unknown one is rejected like a wrong password', async () => {
  expect((await signIn('  ÁNN ')).statusCode).toBe(201);
  const refusals = [await signIn('Ann', 'wrong password'), await signIn('Nobody')];
  const [wrong, unknown] = refusals.map(({ statusCode, json }) => [statusCode, json().error]);
  expect(wrong).toEqual([403, { ...unknown![1], requestId: expect.anything() }]);
  expect(refusals.map(({ headers }) => headers['set-cookie'])).toEqual([undefined, undefined]);
});

test('signing in creates a new session whatever cookie the browser has', async () => {
  const fixed = `larder=${'a'.repeat(43)}`;
  const answer = await post('/v1/session', { name: 'Ann', password: PASSWORD }, { cookie: fixed });
  expect(cookieOf(answer)).not.toBe(fixed);
  expect((await search({ cookie: fixed })).statusCode).toBe(401);
});

test('a signed-out session is rejected, and its cookie removed', async () => {
  const own = cookieOf(await signIn('Ann'));
  const remove = (headers: Record<string, string>) =>
    fixture.ask({ method: 'DELETE', url: '/v1/session', headers });
  expect((await remove({ cookie: own })).statusCode).toBe(403);
  const answer = await remove({ cookie: own, origin });
  expect([answer.statusCode, String(answer.headers['set-cookie'])]).toEqual([
    204,
    expect.stringContaining('larder=; Path=/; Max-Age=0'),
  ]);
  nowMs += 1_000;
  expect((await search({ cookie: own })).statusCode).toBe(401);
  expect((await search({ cookie })).statusCode).toBe(200);
});

test('a used session is renewed once a day, and ends after 90 days without use', async () => {
  const ask = () => fixture.ask({ url: '/v1/session', headers: { cookie } });
  const end = async () => Date.parse((await ask()).json().session.expiresAt);
  const first = await end();
  nowMs += DAY_MS / 2;
  expect(await end()).toBe(first);
  nowMs += DAY_MS;
  expect(await end()).toBe(nowMs + 90 * DAY_MS);
  nowMs += 90 * DAY_MS;
  expect((await ask()).statusCode).toBe(401);
});

test('behind a proxy with TLS the cookie is bound to the host', async () => {
  await using proxied = await openTestServer({ trustedProxies: ['127.0.0.1'] });
  const { dataDir, database } = proxied;
  const kept = await keepOwnerLink(new PeopleStore(database), { dataDir, url: 'https://food.example' });
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'food.example' };
  const payload = { link: kept!.text.split('#link=')[1], name: 'Ann', password: PASSWORD };
  const joined = await proxied.ask({ method: 'POST', url: '/v1/people', payload, headers });
  expect((joined.headers['set-cookie'] as unknown as string[]).join('\n')).toMatch(
    /^__Host-larder=.*; Secure\n__Host-larder-device=.*; HttpOnly; SameSite=Strict; Secure$/,
  );
  const found = await proxied.ask({ url: '/v1/session', headers: { ...headers, cookie: cookieOf(joined) } });
  expect(found.statusCode).toBe(200);
  expect((await proxied.ask({ url: '/v1/session', headers: { cookie: cookieOf(joined) } })).statusCode).toBe(
    401,
  );
});

test.each([
  ['a name of the local network', { host: 'nas.local:8310', origin: 'http://nas.local:8310' }, 201],
  ['a page of another name', { host: 'nas.local:8310', origin: 'http://evil.example:8310' }, 403],
  ['a proxy', { origin: 'https://food.example', ...forwarded('food.example') }, 201],
  [
    'a page of another name behind a proxy',
    { origin: 'https://evil.example', ...forwarded('food.example') },
    403,
  ],
])('people sign in under %s', async (_, headers, status) => {
  await using proxied = await openTestServer({ trustedProxies: ['127.0.0.1'] });
  const kept = await keepOwnerLink(new PeopleStore(proxied.database), { dataDir: proxied.dataDir, url: '' });
  const payload = { link: kept!.text.split('#link=')[1], name: 'Ann', password: PASSWORD };
  const joined = await proxied.ask({ method: 'POST', url: '/v1/people', payload, headers });
  expect(joined.statusCode).toBe(status);
});

function forwarded(host: string) {
  return { 'x-forwarded-proto': 'https', 'x-forwarded-host': host };
}

test('a log contains no passwords, links or sessions', () => {
  const log = fixture.log.join('');
  for (const secret of [PASSWORD, link, cookie.split('=')[1]!]) expect(log).not.toContain(secret);
});

test('a common password, the own name as one, and a name that looks like that of somebody else are refused', async () => {
  const invitation = await fixture.ask({
    method: 'POST',
    url: '/v1/invitations',
    headers: { cookie: cookieOf(await signIn('Ann')), origin },
  });
  const join = (name: string, password: string) =>
    post('/v1/people', { link: invitation.json().url.split('#link=')[1], name, password });
  for (const [name, password, details] of [
    ['Dora', 'princess1', { fields: ['password'], weakness: 'common' }],
    ['Theodora', 'theodora99', { fields: ['password'], weakness: 'name' }],
    ['Αnn', PASSWORD, { fields: ['name'] }],
  ] as const) {
    const answer = await join(name, password);
    expect([answer.statusCode, answer.json().error.details]).toEqual([400, details]);
  }
  const dora = await join('Dora', PASSWORD);
  expect(dora.statusCode).toBe(201);
  const asDora = { cookie: cookieOf(dora), origin };
  const renamed = await fixture.ask({
    method: 'PATCH',
    url: '/v1/people/me',
    headers: asDora,
    payload: { name: 'ΑNN' },
  });
  expect([renamed.statusCode, renamed.json().error.details]).toEqual([400, { fields: ['name'] }]);
  const changed = await fixture.ask({
    method: 'PUT',
    url: '/v1/people/me/password',
    headers: asDora,
    payload: { current: PASSWORD, new: 'larderlarder' },
  });
  expect(changed.json().error.details).toMatchObject({ weakness: 'name' });
});

test('a proxy that ends TLS is told to answer that browsers use it alone, and no other client is', async () => {
  await using behind = await openTestServer({ trustedProxies: ['127.0.0.1'] });
  const secure = (headers: Record<string, string>) =>
    behind.ask({ url: '/healthz', headers }).then((answer) => answer.headers['strict-transport-security']);
  expect(await secure({ 'x-forwarded-proto': 'https' })).toBe('max-age=31536000');
  expect(await secure({})).toBeUndefined();
  expect(
    (await fixture.ask({ url: '/healthz', headers: { 'x-forwarded-proto': 'https' } })).headers[
      'strict-transport-security'
    ],
  ).toBeUndefined();
});
