import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, openHousehold } from '../support/household.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

const open = () => openTestServer({ limited: true });
let fixture: TestServer;
beforeAll(async () => {
  fixture = await open();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

describe.each(VARIANTS)('$name', ({ prefix, credential }) => {
  it('exactly 100 of 5,000 concurrent searches are allowed', async () => {
    const key = await fixture.createKey(['foods:read']);
    const search = () => fixture.ask({ url: `${prefix}/foods/search?q=cola`, headers: credential(key) });
    const answers = await Promise.all(Array.from({ length: 5_000 }, search));
    const passed = answers.filter(({ statusCode }) => statusCode === 200);
    expect(passed).toHaveLength(100);
    const left = passed.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at));

    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(4_900);
    const { error } = refused[0]!.json();
    const seconds = Number(refused[0]!.headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(error).toEqual({
      code: 'rate_limit_exceeded',
      message: expect.stringContaining(String(seconds)),
      requestId: refused[0]!.headers['x-request-id'],
      details: { retryAfter: seconds },
    });
  });
});

it('five users of one key search while typing; each has its own limit, with the key or a token', async () => {
  const key = await fixture.createKey(['foods:read', 'diary:read']);
  const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
  const search = (userId: string) =>
    fixture.ask({ url: `/v1/foods/search?q=cola&userId=${userId}`, headers: bearer(key) });
  const users = ['ann', 'bob', 'cid', 'dan', 'eve'];
  const typed = await Promise.all(users.flatMap((user) => Array.from({ length: 98 }, () => search(user))));
  expect(typed.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);

  const parse = { method: 'POST', url: '/v1/foods/parse', payload: { text: 'cola', userId: 'ann' } } as const;
  const read = await fixture.ask({ ...parse, headers: bearer(key) });
  expect(HEADERS.slice(0, 2).map((name) => read.headers[name])).toEqual(['100', '1']);
  const token = await fixture.ask({
    method: 'POST',
    url: '/v1/auth/token',
    payload: { client_secret: key, user_id: 'ann' },
  });
  const ofToken = await fixture.ask({
    url: '/v1/foods/search?q=cola',
    headers: bearer(token.json().access_token),
  });
  expect(HEADERS.slice(0, 2).map((name) => ofToken.headers[name])).toEqual(['100', '0']);
  expect([(await search('ann')).statusCode, (await search('bob')).statusCode]).toEqual([429, 200]);
  expect((await fixture.ask({ ...parse, headers: bearer(key) })).statusCode).toBe(429);
  const withoutUser = await fixture.ask({ url: '/v1/foods/search?q=cola', headers: bearer(key) });
  expect(HEADERS.slice(0, 2).map((name) => withoutUser.headers[name])).toEqual(['100', '99']);
});

it('what a key does for one user leaves the limits of others, up to the total of the key', async () => {
  const admin = await fixture.createKey(['admin', 'diary:read', 'diary:write']);
  const made = await fixture.ask({
    method: 'POST',
    url: '/v1/keys',
    payload: {
      scopes: ['diary:read', 'diary:write'],
      limits: { diaryWrite: 2, diaryWriteTotal: 4, diaryRead: 1, diaryReadTotal: 2 },
    },
    headers: { authorization: `Bearer ${admin}` },
  });
  const headers = { authorization: `Bearer ${made.json().key}` };
  const payload = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', calories: 1 };
  const states: unknown[] = [];
  for (const user of ['ann', 'ann', 'ann', 'bob', 'bob', 'cid']) {
    const written = await fixture.ask({ method: 'POST', url: `/v1/users/${user}/diary`, payload, headers });
    states.push([user, written.statusCode, written.headers['x-ratelimit-limit']]);
  }
  expect(states).toEqual([
    ['ann', 201, '2'],
    ['ann', 201, '2'],
    ['ann', 429, '2'],
    ['bob', 201, '2'],
    ['bob', 201, '2'],
    ['cid', 429, '4'],
  ]);
  const read = async (user: string) =>
    (await fixture.ask({ url: `/v1/users/${user}/diary?date=2030-01-01`, headers })).statusCode;
  expect([await read('ann'), await read('ann'), await read('bob'), await read('cid')]).toEqual([
    200, 429, 200, 429,
  ]);
});

it('all searches of a key have a common limit', async () => {
  const admin = await fixture.createKey(['admin', 'foods:read', 'diary:read']);
  const limits = { search: 4, searchTotal: 6 };
  const made = await fixture.ask({
    method: 'POST',
    url: '/v1/keys',
    payload: { scopes: ['foods:read', 'diary:read'], limits },
    headers: { authorization: `Bearer ${admin}` },
  });
  const states: unknown[] = [];
  for (const user of ['ann', 'ann', 'ann', 'bob', 'bob', 'cid', 'dan']) {
    const { statusCode, headers } = await fixture.ask({
      url: `/v1/foods/search?q=cola&userId=${user}`,
      headers: { authorization: `Bearer ${made.json().key}` },
    });
    states.push([statusCode, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]);
  }
  expect(states).toEqual([
    [200, '4', '3'],
    [200, '4', '2'],
    [200, '4', '1'],
    [200, '6', '2'],
    [200, '6', '1'],
    [200, '6', '0'],
    [429, '6', '0'],
  ]);
});

it('the error message uses the singular for one second', async () => {
  const used = { allowed: false, limit: 1, remaining: 0, resetsAt: 0 };
  await using server = await openTestServer({
    limiter: { takeNow: () => used, take: async () => used, peek: async () => used },
  });
  const answer = await server.ask({ url: '/foods/search?q=a', headers: { 'x-api-key': server.key } });
  expect(answer.json().error.message).toBe('Too many requests; wait 1 second.');
});

it('both variants share one counter', async () => {
  const key = await fixture.createKey(['foods:read']);
  const v1 = await fixture.ask({
    url: '/v1/foods/search?q=a',
    headers: { authorization: `Bearer ${key}` },
  });
  const bare = await fixture.ask({ url: '/foods/search?q=a', headers: { 'x-api-key': key } });
  expect([v1, bare].map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['99', '98']);
});

it.each([
  ['a public address', { url: '/healthz' }],
  ['the reference page', { url: '/docs' }],
  ['an unknown path', { url: '/nowhere' }],
  ['a wrong method', { url: '/v1/foods/search', method: 'DELETE' }],
  ['a missing credential', { url: '/v1/foods/search' }],
  ['a path that is no encoding', { url: '/v1/foods/%E0%A4%A' }],
  [
    'a body that is no JSON',
    { url: '/v1/auth/token', method: 'POST', payload: '{', headers: { 'content-type': 'application/json' } },
  ],
  [
    'a body of a wrong type',
    { url: '/v1/auth/token', method: 'POST', payload: '<a/>', headers: { 'content-type': 'text/xml' } },
  ],
  [
    'a body that is too large',
    { url: '/v1/auth/token', method: 'POST', payload: { a: 'x'.repeat(2_000_000) } },
  ],
] as const)("the response to %s states the client's limit", async (_, request) => {
  await using server = await open();
  const answer = await server.ask(request);
  const [limit, remaining, reset] = HEADERS.map((name) => Number(answer.headers[name]));
  expect([limit, remaining]).toEqual([60, 59]);
  expect(reset! - Date.now() / 1000).toBeGreaterThan(0);
  expect(reset! - Date.now() / 1000).toBeLessThanOrEqual(60);
});

it('the response to malformed HTTP has rate limit headers', async () => {
  await using server = await open();
  const port = server.port;
  const socket = connect(port, '127.0.0.1');
  socket.end('nonsense\r\n\r\n');
  expect(await text(socket)).toContain('x-ratelimit-remaining: 59');
});

it('a client without a credential has 60 requests for all operations together', async () => {
  await using server = await open();
  const urls = ['/openapi.json', '/nowhere', '/v1/foods/search?q=a', '/foods/barcode/96385074'];
  const statuses: number[] = [];
  for (let asked = 0; asked < 61; asked++) {
    statuses.push((await server.ask(urls[asked % urls.length]!)).statusCode);
  }
  expect(statuses.slice(0, 60)).not.toContain(429);
  expect(statuses[60]).toBe(429);
  // A load balancer probes without a credential, from the same address as its clients.
  expect((await server.ask('/readyz')).statusCode).toBe(200);
});

it('health checks are limited only for clients that request nothing else', async () => {
  await using server = await open();
  const urls = ['/healthz', '/readyz'];
  const statuses: number[] = [];
  for (let asked = 0; asked < 61; asked++) {
    statuses.push((await server.ask(urls[asked % urls.length]!)).statusCode);
  }
  expect(statuses.slice(0, 60)).not.toContain(429);
  expect(statuses[60]).toBe(429);
  expect((await server.ask('/openapi.json')).statusCode).toBe(200);
});

it('the client address is taken from trusted proxies only', async () => {
  await using server = await openTestServer({ limited: true, trustedProxies: ['127.1.0.0/16'] });
  const remaining = async (localAddress: string, forwardedFor: string) => {
    const headers = { 'x-forwarded-for': forwardedFor };
    const answer = await server.ask({ url: '/healthz', localAddress, headers });
    return Number(answer.headers['x-ratelimit-remaining']);
  };
  expect(await remaining('127.1.2.3', '192.0.2.1')).toBe(59);
  expect(await remaining('127.1.2.3', '127.2.0.1')).toBe(59);
  expect(await remaining('127.1.2.3', '192.0.2.9, 192.0.2.1')).toBe(58);
  expect(await remaining('127.2.0.1', '192.0.2.7')).toBe(58);
});

it('an unknown path counts for the credential if it is valid', async () => {
  const key = await fixture.createKey(['foods:read']);
  const credentials: Record<string, string>[] = [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }];
  for (const headers of credentials) {
    const answer = await fixture.ask({ url: '/nowhere', headers });
    expect([answer.statusCode, answer.headers['x-ratelimit-limit']]).toEqual([404, '600']);
  }
});

it('a rejected request counts, too', async () => {
  const key = await fixture.createKey(['scan']);
  const search = () => fixture.ask({ url: '/foods/search?q=a', headers: { 'x-api-key': key } });
  expect([(await search()).statusCode, (await search()).headers['x-ratelimit-remaining']]).toEqual([
    403,
    '98',
  ]);
});

it('token requests count for the key', async () => {
  const key = await fixture.createKey(['foods:read']);
  const answer = await fixture.ask({
    method: 'POST',
    url: '/v1/auth/token',
    payload: { client_secret: key, user_id: 'ann' },
  });
  expect(HEADERS.slice(0, 2).map((name) => answer.headers[name])).toEqual(['30', '29']);
});

it('a person reads the diary 600 times a minute on all devices together, whatever the partner reads', async () => {
  const nowMs = Date.now();
  // Two windows of the clock would allow more.
  await using household = await openHousehold({ limited: true, nowMs: () => nowMs });
  const phone = household.ann;
  const [desktop, bob] = [await household.signIn('Ann').catch(() => phone), await household.invite('Bob')];
  const read = (member: Member) => member.ask('GET', `/v1/users/${phone.id}/diary?date=2026-11-27`);
  const answers = await Promise.all(
    Array.from({ length: 601 }, (_, at) => read(at % 2 === 0 ? phone : desktop)),
  );
  expect(answers.filter(({ statusCode }) => statusCode !== 200).map(({ statusCode }) => statusCode)).toEqual([
    429,
  ]);
  expect((await read(bob)).headers['x-ratelimit-remaining']).toBe('599');
});
