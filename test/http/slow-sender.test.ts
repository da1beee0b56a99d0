import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BODY_TIMEOUT_MS } from '../../src/http/server/limits.ts';
import type { Route } from '../../src/http/server/route.ts';
import { ECHO_ROUTE } from '../support/echo-route.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

/** Routes that no service has: one that is handed a body, one that reads it by itself. */
const TEST_ROUTES: readonly Route[] = [
  ECHO_ROUTE,
  {
    method: 'PUT',
    path: '/test/upload',
    access: 'public',
    operation: 'other',
    readsRawBody: true,
    handle: async ({ raw }) => JSON.stringify(await text(raw)),
  },
];

let fixture: TestServer;
let port: number;
beforeAll(async () => {
  fixture = await openTestServer({ routes: TEST_ROUTES });
  port = fixture.port;
});
afterAll(() => fixture[Symbol.asyncDispose]());

describe('a sender who is slow', () => {
  afterEach(() => void vi.useRealTimers());

  /** A request of which all but its body has come, and been seen: `100 Continue` says so. */
  async function begin(start: string) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = connect({ host: '127.0.0.1', port });
    onTestFinished(() => void socket.destroy());
    const headers = ['Host: larder', 'Content-Type: application/json', 'Content-Length: 8'];
    socket.write([start, ...headers, 'Connection: close', 'Expect: 100-continue', '', ''].join('\r\n'));
    const [first] = await once(socket, 'data');
    expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    return socket;
  }

  it.each(['POST /test/echo HTTP/1.1', 'POST /v1/auth/token HTTP/1.1'])(
    'is refused when a body has not arrived in time, and its connection ended: %s',
    async (start) => {
      const socket = await begin(start);
      socket.write('["slow"');
      vi.advanceTimersByTime(BODY_TIMEOUT_MS);
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1.1 400 .*\r\nconnection: close\r\n/s);
      expect(answer).toContain('The request took too long to arrive.');
    },
  );

  it('is waited for until then', async () => {
    const socket = await begin('POST /test/echo HTTP/1.1');
    socket.write('["slow"');
    vi.advanceTimersByTime(BODY_TIMEOUT_MS - 1);
    socket.write(']');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*\r\n\["slow"\]$/s);
  });

  it('may take longer with what is no JSON', async () => {
    const socket = await begin('PUT /test/upload HTTP/1.1');
    socket.write('["slow"');
    vi.advanceTimersByTime(BODY_TIMEOUT_MS + 1);
    socket.write(']');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*\r\n"\[\\"slow\\"\]"$/s);
  });
});
