import { createServer, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startLocalServer } from '../../test/support/local-server.ts';
import { httpRequest } from './http-request.ts';

/** Answers each connection's packets by `answer`. */
async function rawServer(answer: (socket: Socket, packet: number) => void) {
  const server = createServer((socket) => {
    let packets = 0;
    socket.on('error', () => {});
    socket.on('data', () => answer(socket, packets++));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

test.each(['connection: close\r\n', ''])(
  'the complete response of a server that closes the connection is read, however late (%j)',
  async (announced) => {
    for (const size of [1, 70_000, 300_000]) {
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n${announced}\r\n`;
      await using server = await rawServer((socket) => socket.end(head + 'a'.repeat(size)));
      const response = await httpRequest({ url: server.url, keepsConnection: true });
      // Waits until the end of the connection has arrived, too.
      await pause(20);
      expect(await buffer(response)).toHaveLength(size);
    }
  },
);

test('an interrupted response is an error', async () => {
  await using server = await rawServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'),
  );
  await expect(httpRequest({ url: server.url }).then(buffer)).rejects.toThrow('aborted');
});

test('a connection is kept on request, and replaced if the server has closed it', async () => {
  let connections = 0;
  await using server = await rawServer((socket, packet) => {
    if (packet === 0) connections++;
    if (packet === 2) socket.destroy();
    else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  });
  const ask = (body?: string) =>
    httpRequest({
      url: server.url,
      keepsConnection: true,
      ...(body !== undefined && { method: 'PUT', body }),
    }).then(text);
  expect([await ask(), await ask(), connections]).toEqual(['ok', 'ok', 1]);
  expect([await ask('again'), connections]).toEqual(['ok', 2]);
});

test('a request is sent unchanged, and the caller handles redirects', async () => {
  await using server = await startLocalServer(async (request, response) => {
    const { method, url, headers } = request;
    response.writeHead(302, { location: '/other' });
    response.end(JSON.stringify({ method, url, type: headers['content-type'], body: await text(request) }));
  });
  const response = await httpRequest({
    url: new URL(`${server.base}/a?b=c`),
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'ä',
  });
  expect(response.statusCode).toBe(302);
  expect(JSON.parse(await text(response))).toEqual({
    method: 'POST',
    url: '/a?b=c',
    type: 'text/plain',
    body: 'ä',
  });
});

test('a request can be aborted at any time', async () => {
  await using server = await startLocalServer((request, response) => {
    if (request.url === '/begun') response.write('a');
  });
  for (const path of ['/silent', '/begun']) {
    const abort = new AbortController();
    const url = new URL(path, server.base);
    const read = httpRequest({ url, signal: abort.signal, keepsConnection: true }).then(buffer);
    setImmediate(() => abort.abort());
    await expect(read).rejects.toThrow(/abort/);
  }
  const url = new URL('/silent', server.base);
  await expect(httpRequest({ url, answerTimeoutMs: 20 })).rejects.toThrow('gave no answer within 20 ms');
  const begun = new URL('/begun', server.base);
  await expect(httpRequest({ url: begun, idleTimeoutMs: 20 }).then(buffer)).rejects.toThrow(
    'sent nothing for 20 ms',
  );
});
