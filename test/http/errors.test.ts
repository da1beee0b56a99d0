import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/api/body-limits.ts';
import { MAX_HEADER_BYTES, MAX_URL_LENGTH } from '../../src/http/server/connection/limits.ts';
import { ECHO_OPERATION } from '../support/echo-operation.ts';
import { rawRequest } from '../support/raw-request.ts';
import { testOperation } from '../support/test-operation.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

/** Operations for tests only: one that reads a body, one that fails. */
const TEST_OPERATIONS = [
  ECHO_OPERATION,
  testOperation({
    method: 'GET',
    path: '/test/break',
    handle: () => {
      throw new Error('secret detail at /srv/larder');
    },
  }),
];

let fixture: TestServer;
let port: number;
beforeAll(async () => {
  fixture = await openTestServer({ operations: TEST_OPERATIONS });
  port = fixture.port;
});
afterAll(() => fixture[Symbol.asyncDispose]());

const request = (start: string, headers: readonly string[] = [], body = '') =>
  rawRequest(port, [start, 'Host: larder', 'Connection: close', ...headers, '', body].join('\r\n'));

const post = (body: string, contentType = 'application/json') =>
  request(
    'POST /test/echo HTTP/1.1',
    [`Content-Type: ${contentType}`, `Content-Length: ${body.length}`],
    body,
  );

const postEncoded = (encoding: string) =>
  request(
    'POST /test/echo HTTP/1.1',
    ['Content-Type: application/json', `Content-Encoding: ${encoding}`, 'Content-Length: 2'],
    '{}',
  );

interface Scenario {
  readonly what: string;
  readonly send: () => ReturnType<typeof rawRequest>;
  readonly status: number;
  readonly code: string;
}

const SCENARIOS: readonly Scenario[] = [
  { what: 'an unknown path', send: () => request('GET /nowhere HTTP/1.1'), status: 404, code: 'not_found' },
  {
    what: 'a path that is no path',
    send: () => request('OPTIONS * HTTP/1.1'),
    status: 404,
    code: 'not_found',
  },
  {
    what: 'an unknown path with a broken body',
    send: () =>
      request('POST /nowhere HTTP/1.1', ['Content-Type: application/json', 'Content-Length: 1'], '{'),
    status: 404,
    code: 'not_found',
  },
  ...['GET', 'PATCH', 'DELETE'].map(
    (method): Scenario => ({
      what: `${method} of a food without an id`,
      send: () => request(`${method} /v1/foods/ HTTP/1.1`),
      status: 404,
      code: 'not_found',
    }),
  ),
  {
    what: 'readiness that requires what it does not know',
    send: () => request('GET /readyz?require=databse HTTP/1.1'),
    status: 400,
    code: 'invalid_query',
  },
  {
    what: 'a diary of nobody',
    send: () => request('GET /v1/users//diary?date=2030-01-01 HTTP/1.1'),
    status: 404,
    code: 'not_found',
  },
  { what: 'malformed JSON', send: () => post('{"a":'), status: 400, code: 'invalid_request' },
  {
    what: 'a poisoned prototype',
    send: () => post('{"__proto__":{}}'),
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'JSON in Latin-1, which could only be guessed at',
    send: () => post('{"foodName":"K\xe4se"}'),
    status: 400,
    code: 'invalid_request',
  },
  { what: 'an empty JSON body', send: () => post(''), status: 400, code: 'invalid_request' },
  {
    what: 'a body that is too large',
    send: () => post(`"${'x'.repeat(MAX_BODY_BYTES)}"`),
    status: 413,
    code: 'payload_too_large',
  },
  {
    what: 'a body that is no JSON',
    send: () => post('a=1', 'text/plain'),
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    what: 'a content type that is none',
    send: () => post('a', '???'),
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    what: 'a compressed body',
    send: async () => {
      const answer = await postEncoded('gzip');
      expect([answer.headers['accept-encoding'], answer.body]).toEqual([
        'identity',
        expect.stringContaining('uncompressed'),
      ]);
      return answer;
    },
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    what: 'a body of too many arrays inside each other',
    send: () => post('['.repeat(65) + ']'.repeat(65)),
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'headers that are too large',
    send: () => request('GET /healthz HTTP/1.1', [`X-Big: ${'x'.repeat(MAX_HEADER_BYTES)}`]),
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'an address that is too long',
    send: () => request(`GET /v1/foods/${'x'.repeat(MAX_URL_LENGTH)} HTTP/1.1`),
    status: 400,
    code: 'invalid_request',
  },
  ...['/v1/foods/search', '/foods/search'].flatMap((path): Scenario[] => [
    {
      what: `a search text that makes the address of ${path} too long`,
      send: () => request(`GET ${path}?limit=3&q=${'%C3%A9'.repeat(MAX_URL_LENGTH / 6)} HTTP/1.1`),
      status: 400,
      code: 'invalid_query',
    },
    {
      what: `an address of ${path} that something else makes too long`,
      send: () => request(`GET ${path}?q=jam&x=${'x'.repeat(MAX_URL_LENGTH)} HTTP/1.1`),
      status: 400,
      code: 'invalid_request',
    },
  ]),
  {
    what: 'bytes that are no HTTP',
    send: () => rawRequest(port, 'hello\r\n\r\n'),
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'an address with letters that are not percent-encoded',
    send: () => request('GET /foods/search?q=m\xfcsli HTTP/1.1'),
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'two lengths of one body',
    send: () => request('POST /test/echo HTTP/1.1', ['Content-Length: 1', 'Content-Length: 2'], '{}'),
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'no Host header',
    send: () => rawRequest(port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'),
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'two Host headers',
    send: () => request('GET /healthz HTTP/1.1', ['HOST: larder']),
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'two Host headers of a search',
    send: async () => {
      const authorization = `Authorization: Bearer ${fixture.key}`;
      const url = '/v1/foods/search?q=cola';
      expect((await request(`GET ${url} HTTP/1.1`, [authorization])).status).toBe(200);
      return request(`GET ${url} HTTP/1.1`, [authorization, 'Host: elsewhere']);
    },
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'a path that is no percent-encoding',
    send: () => request('GET /v1/foods/%E0%A4%A HTTP/1.1'),
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'a tunnel',
    send: () => rawRequest(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'),
    status: 405,
    code: 'method_not_allowed',
  },
  {
    what: 'a method that no path knows',
    send: () => request('PROPFIND /healthz HTTP/1.1'),
    status: 405,
    code: 'method_not_allowed',
  },
  {
    what: 'a fault of ours',
    send: () => request('GET /test/break HTTP/1.1'),
    status: 500,
    code: 'internal_error',
  },
  ...VARIANTS.flatMap(({ prefix, name }): Scenario[] => [
    {
      what: `${name}: a wrong method`,
      send: () => request(`DELETE ${prefix}/foods/search HTTP/1.1`),
      status: 405,
      code: 'method_not_allowed',
    },
    {
      what: `${name}: no credential`,
      send: () => request(`GET ${prefix}/foods/search HTTP/1.1`),
      status: 401,
      code: 'invalid_api_key',
    },
    {
      what: `${name}: a path with a slash at its end`,
      send: () => request(`GET ${prefix}/foods/search/ HTTP/1.1`),
      status: 404,
      code: 'not_found',
    },
  ]),
];

describe.each(SCENARIOS)('$what', ({ send, status, code }) => {
  it(`gets ${status} ${code} in the common error body`, async () => {
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({
      error: {
        code,
        message: expect.stringMatching(/^[A-Z].*\.$|^An API key is missing/),
        requestId: answer.headers['x-request-id'],
        details: expect.any(Object),
      },
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });
});

it('a wrong method gets the list of allowed methods', async () => {
  const answer = await request('POST /v1/foods/search HTTP/1.1');
  expect(answer.headers['allow']).toBe('GET, HEAD');
  expect(JSON.parse(answer.body).error.details).toEqual({ allowed: ['GET', 'HEAD'] });
});

it.each([
  ['DELETE', 'totals', 'GET, HEAD'],
  ['GET', 'copy', 'POST'],
  ['PUT', 'an-entry', 'DELETE, GET, HEAD, PATCH'],
])('%s of a diary path that is not an entry: %s', async (method, last, allow) => {
  const { status, headers } = await request(`${method} /v1/users/ann/diary/${last} HTTP/1.1`, [
    `Authorization: Bearer ${fixture.key}`,
  ]);
  expect([status, headers['allow']]).toEqual([405, allow]);
});

it.each([
  ['in absolute form', 'http://larder/v1/users/ann/diary'],
  ['with a letter percent-encoded that need not be', '/v1/users/ann/%64iary'],
])('an address %s is routed like the plain address', async (_, diary) => {
  const authorization = `Authorization: Bearer ${await fixture.createKey(['diary:read'])}`;
  const entry = await request(`GET ${diary}/an-entry HTTP/1.1`, [authorization]);
  expect(JSON.parse(entry.body).error.code).toBe('diary_entry_not_found');
  const { status, headers } = await request(`DELETE ${diary}/totals HTTP/1.1`, [authorization]);
  expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
});

it('an address with wrong percent-encoding is rejected with the reason', async () => {
  const answer = await request('GET /foods/search?q=m\xfcsli HTTP/1.1');
  expect(JSON.parse(answer.body).error.message).toContain('percent-encoded');
});

it('internal errors are hidden from the client and logged in full', async () => {
  const answer = await request('GET /test/break HTTP/1.1', ['X-Request-Id: find-me']);
  expect(answer.body).not.toContain('secret detail');
  const line = fixture.log.find((each) => each.includes('find-me') && each.includes('secret detail'));
  expect(JSON.parse(line!)).toMatchObject({ level: 'error', requestId: 'find-me' });
});

it('a stopping service rejects requests and closes connections', async () => {
  await using stopping = await openTestServer({ service: { isStopping: true } });
  const answer = await stopping.ask('/v1/foods/search');
  expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'unavailable']);
  expect(answer.headers['connection']).toBe('close');
});

it('rejected requests are counted as started, too', async () => {
  const service = { isStopping: false };
  let [begun, ended] = [0, 0];
  const observer = { started: () => begun++, originRefused: () => {}, finished: () => ended++ };
  await using observed = await openTestServer({ service, observer });
  const statusOf = async (url: string) => (await observed.ask(url)).statusCode;
  expect(await statusOf('/healthz')).toBe(200);
  expect(await statusOf(`/healthz?${'x'.repeat(MAX_URL_LENGTH)}`)).toBe(400);
  service.isStopping = true;
  expect(await statusOf('/healthz')).toBe(503);
  await expect.poll(() => [begun, ended]).toEqual([3, 3]);
});
