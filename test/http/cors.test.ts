import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const ORIGIN = 'https://app.example.org';
let closed: TestServer;
let open: TestServer;
beforeAll(async () => {
  closed = await openTestServer();
  open = await openTestServer({ corsOrigins: [ORIGIN] });
});
afterAll(async () => {
  await closed[Symbol.asyncDispose]();
  await open[Symbol.asyncDispose]();
});

const preflight = (fixture: TestServer, origin: string, url = '/v1/foods/search') =>
  fixture.server.inject({
    method: 'OPTIONS',
    url,
    headers: { origin, 'access-control-request-method': 'GET' },
  });

it('no page of another origin may read anything until origins are configured', async () => {
  const answer = await closed.server.inject({ url: '/healthz', headers: { origin: ORIGIN } });
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect((await preflight(closed, ORIGIN)).statusCode).toBe(405);
});

it('a page of a configured origin may read answers, errors too, and their headers', async () => {
  for (const url of ['/healthz', '/nowhere', '/v1/foods/search']) {
    const { headers } = await open.server.inject({ url, headers: { origin: ORIGIN } });
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers['access-control-expose-headers']).toContain('x-ratelimit-remaining');
    expect(headers['vary']).toBe('origin');
  }
});

it('a preflight of a configured origin is told what it may send', async () => {
  const answer = await preflight(open, ORIGIN);
  expect([answer.statusCode, answer.body]).toEqual([204, '']);
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': ORIGIN,
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': expect.stringContaining('authorization'),
    'access-control-max-age': '7200',
  });
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
});

it('preflights take nothing of what their address may ask for', async () => {
  const anybody = () => open.server.inject({ url: '/.well-known/jwks.json', headers: { origin: ORIGIN } });
  const left = async () => Number((await anybody()).headers['x-ratelimit-remaining']);
  const before = await left();
  for (let each = 0; each < 3; each++) await preflight(open, ORIGIN, `/v1/foods/search?q=a${each}`);
  expect(await left()).toBe(before - 1);
});

it('another origin, and an unknown path, are told nothing', async () => {
  const other = await preflight(open, 'https://evil.example.org');
  expect([other.statusCode, other.headers['access-control-allow-origin']]).toEqual([405, undefined]);
  expect((await preflight(open, ORIGIN, '/nowhere')).statusCode).toBe(404);
});
