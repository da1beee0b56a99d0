import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ECHO_OPERATION } from '../support/echo-operation.ts';
import { rawRequest } from '../support/raw-request.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

let fixture: TestServer;
let port: number;
beforeAll(async () => {
  fixture = await openTestServer({ operations: [ECHO_OPERATION] });
  port = fixture.port;
});
afterAll(() => fixture[Symbol.asyncDispose]());

const request = (start: string, headers: readonly string[] = [], body = '') =>
  rawRequest(port, [start, 'Host: larder', 'Connection: close', ...headers, '', body].join('\r\n'));

const post = (body: string, headers: readonly string[] = []) =>
  request(
    'POST /test/echo HTTP/1.1',
    ['Content-Type: application/json', `Content-Length: ${body.length}`, ...headers],
    body,
  );

describe('the request id', () => {
  it.each(['a', 'A.b_c-1', 'x'.repeat(128)])('%j is kept', async (id) => {
    expect((await request('GET /healthz HTTP/1.1', [`X-Request-Id: ${id}`])).headers['x-request-id']).toBe(
      id,
    );
  });

  it.each(['', 'a b', '<script>', 'x'.repeat(129), 'é'])('%j is replaced', async (id) => {
    const given = (await request('GET /healthz HTTP/1.1', [`X-Request-Id: ${id}`])).headers['x-request-id'];
    expect(given).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it('an unknown Expect header is ignored', async () => {
  expect((await request('GET /healthz HTTP/1.1', ['Expect: the-unexpected'])).status).toBe(200);
});

it('HEAD returns the head of GET without a body', async () => {
  const answer = await request('HEAD /healthz HTTP/1.1');
  expect([answer.status, answer.headers['content-length'], answer.body]).toEqual([200, '15', '']);
});

it.each(['identity', ' Identity ', ''])(
  'a body with Content-Encoding "%s" is read unchanged',
  async (encoding) => {
    expect((await post('{}', [`Content-Encoding: ${encoding}`])).status).toBe(200);
  },
);

it.each([
  ['64 arrays inside each other', `${'['.repeat(64)}${']'.repeat(64)}`],
  ['many objects beside each other', JSON.stringify(Array(1_000).fill({ of: [{}] }))],
  ['brackets in a text', JSON.stringify(`${'[{"\\'.repeat(100)}`)],
])('a body of %s is read', async (_, body) => {
  const answer = await post(body);
  expect([answer.status, answer.body]).toEqual([200, body]);
});
