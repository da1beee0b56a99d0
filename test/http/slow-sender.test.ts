import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BODY_TIMEOUT_MS, UPLOAD_STALL_MS } from '../../src/http/server/connection/limits.ts';
import { ECHO_OPERATION } from '../support/echo-operation.ts';
import { testOperation } from '../support/test-operation.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const uploads = new EventEmitter();

/** Operations for tests only: one that gets a parsed body, one that reads it itself. */
const TEST_OPERATIONS = [
  ECHO_OPERATION,
  testOperation({
    method: 'PUT',
    path: '/test/upload',
    body: 'raw',
    handle: async ({ body }) => {
      let read = '';
      for await (const piece of body as AsyncIterable<Buffer>) {
        read += piece;
        uploads.emit('piece');
      }
      return JSON.stringify(read);
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

describe('a slow sender', () => {
  afterEach(() => void vi.useRealTimers());

  /** A request without its body; `100 Continue` confirms that the service has read its head. */
  async function begin(start: string, alsoFaked: readonly 'performance'[] = []) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', ...alsoFaked] });
    const socket = connect({ host: '127.0.0.1', port });
    onTestFinished(() => void socket.destroy());
    const headers = ['Host: larder', 'Content-Type: application/json', 'Content-Length: 8'];
    socket.write([start, ...headers, 'Connection: close', 'Expect: 100-continue', '', ''].join('\r\n'));
    const [first] = await once(socket, 'data');
    expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    return socket;
  }

  it.each(['POST /test/echo HTTP/1.1', 'POST /v1/auth/token HTTP/1.1'])(
    'is rejected and disconnected when its body is late: %s',
    async (start) => {
      const socket = await begin(start);
      socket.write('["slow"');
      vi.advanceTimersByTime(BODY_TIMEOUT_MS);
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1.1 400 .*\r\nconnection: close\r\n/s);
      expect(answer).toContain('The request took too long to arrive.');
    },
  );

  it('is accepted within the time limit', async () => {
    const socket = await begin('POST /test/echo HTTP/1.1');
    socket.write('["slow"');
    vi.advanceTimersByTime(BODY_TIMEOUT_MS - 1);
    socket.write(']');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*\r\n\["slow"\]$/s);
  });

  it('may take longer with other bodies than JSON, as long as bytes arrive', async () => {
    const socket = await begin('PUT /test/upload HTTP/1.1');
    for (const piece of ['["', 'sl', 'ow', '"]']) {
      const came = once(uploads, 'piece');
      socket.write(piece);
      await came;
      vi.advanceTimersByTime(UPLOAD_STALL_MS - 1);
    }
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*\r\n"\[\\"slow\\"\]"$/s);
  });

  it('is rejected if its file or image only trickles in', async () => {
    const socket = await begin('PUT /test/upload HTTP/1.1', ['performance']);
    const came = once(uploads, 'piece');
    socket.write('["');
    await came;
    vi.advanceTimersByTime(UPLOAD_STALL_MS - 1);
    const again = once(uploads, 'piece');
    socket.write('sl');
    await again;
    vi.advanceTimersByTime(UPLOAD_STALL_MS - 1);
    socket.write('ow');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 .*\r\nconnection: close\r\n.*took too long/s);
  });
});
