import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_URL_LENGTH } from '../../src/http/server/connection/limits.ts';
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
  fixture.ask({
    method: 'OPTIONS',
    url,
    headers: { origin, 'access-control-request-method': 'GET' },
  });

it('pages of other origins can read nothing until origins are configured', async () => {
  const answer = await closed.ask({ url: '/healthz', headers: { origin: ORIGIN } });
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect((await preflight(closed, ORIGIN)).statusCode).toBe(405);
});

it('a page of a configured origin can read responses, errors and their headers', async () => {
  for (const url of ['/healthz', '/nowhere', '/v1/foods/search']) {
    const { headers } = await open.ask({ url, headers: { origin: ORIGIN } });
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers['access-control-expose-headers']).toContain('x-ratelimit-remaining');
    expect(headers['vary']).toBe('origin');
  }
});

const TOO_LONG = `/v1/foods/search?q=${'x'.repeat(MAX_URL_LENGTH)}`;

it.each([
  ['an address that is too long', TOO_LONG, 400, false],
  ['an address that is no percent-encoding', '/v1/foods/100%', 400, false],
  ['a service that stops', '/v1/foods/search', 503, true],
])('a page of a configured origin can read the error: %s', async (_, url, status, isStopping) => {
  await using fixture = await openTestServer({ corsOrigins: [ORIGIN], service: { isStopping } });
  const answer = await fixture.ask({ url, headers: { origin: ORIGIN } });
  expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([status, ORIGIN]);
});

it.each([
  ['an address that is too long', TOO_LONG, false],
  ['a service that stops', '/v1/foods/search', true],
])('a preflight succeeds although the request itself will be rejected: %s', async (_, url, isStopping) => {
  await using fixture = await openTestServer({ corsOrigins: [ORIGIN], service: { isStopping } });
  expect((await preflight(fixture, ORIGIN, url)).statusCode).toBe(204);
});

it('a preflight of a configured origin gets the allowed methods and headers', async () => {
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

it('preflights do not count for the rate limit of their address', async () => {
  const anybody = () => open.ask({ url: '/.well-known/jwks.json', headers: { origin: ORIGIN } });
  const left = async () => Number((await anybody()).headers['x-ratelimit-remaining']);
  const before = await left();
  for (let each = 0; each < 3; each++) await preflight(open, ORIGIN, `/v1/foods/search?q=a${each}`);
  expect(await left()).toBe(before - 1);
});

it('the log names rejected origins once, up to a limit', async () => {
  await using fixture = await openTestServer({ corsOrigins: [ORIGIN] });
  const named = () =>
    fixture.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('LARDER_CORS_ORIGINS'));
  const own = `http://127.0.0.1:${fixture.port}`;
  for (const origin of [ORIGIN, own, 'http://a.test', 'http://a.test']) {
    await fixture.ask({ url: '/healthz', headers: { origin, host: `127.0.0.1:${fixture.port}` } });
  }
  expect(named()).toEqual([expect.objectContaining({ level: 'info', origin: 'http://a.test' })]);
  await preflight(fixture, 'null');
  for (let each = 0; each < 50; each++) await preflight(fixture, `http://${each}${'x'.repeat(5_000)}.test`);
  const origins = named().map(({ origin }) => origin);
  expect([origins.length, origins[1]]).toEqual([10, 'null']);
  expect(Math.max(...origins.map(({ length }: string) => length))).toBe(200);
});

it('other origins and unknown paths get no CORS headers', async () => {
  const other = await preflight(open, 'https://evil.example.org');
  expect([other.statusCode, other.headers['access-control-allow-origin']]).toEqual([405, undefined]);
  expect((await preflight(open, ORIGIN, '/nowhere')).statusCode).toBe(404);
});
