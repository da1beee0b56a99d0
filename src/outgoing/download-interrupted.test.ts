import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONTENT, ExportServer, LIMITS, OTHER } from '../../test/support/export-server.ts';

let server: ExportServer;
beforeEach(async () => {
  server = await ExportServer.open();
});
afterEach(() => server[Symbol.asyncDispose]());

test('a download that is interrupted repeatedly is continued each time', async () => {
  server.handler = server.serve(CONTENT, '"a"', 9_000);
  await server.download();
  await server.expectReceived(CONTENT);
  expect(server.ranges.slice(0, 3)).toEqual([undefined, 'bytes=9000-', 'bytes=18000-']);
});

test('a later run continues after an earlier one has given up', async () => {
  const breaking = server.serve(CONTENT, '"a"', 9_000);
  server.handler = (request, response, call) => {
    if (call === 1) breaking(request, response, call);
    else response.writeHead(503).end();
  };
  await expect(server.download()).rejects.toThrow(/status 503.*run the command again to continue/);
  server.handler = server.serve(CONTENT, '"a"');
  await server.download();
  await server.expectReceived(CONTENT);
  expect(server.ranges.at(-1)).toBe('bytes=9000-');
});

test('a file that changes in between is fetched again, never combined', async () => {
  server.handler = server.serve(CONTENT, '"a"', 9_000);
  const first = server.handler;
  const second = server.serve(OTHER, '"b"');
  server.handler = (request, response, call) => (call === 1 ? first : second)(request, response, call);
  await server.download();
  await server.expectReceived(OTHER);
});

test('a range of the changed file is not accepted', async () => {
  const first = server.serve(CONTENT, '"a"', 9_000);
  const changed = Buffer.concat([CONTENT.subarray(0, 100), Buffer.alloc(20_000)]);
  server.handler = (request, response, call) => {
    if (call === 1) return first(request, response, call);
    if (request.headers.range === undefined) return void response.writeHead(200).end(changed);
    response.writeHead(206, { 'content-range': `bytes 9000-${changed.length - 1}/${changed.length}` });
    response.end(changed.subarray(9_000));
  };
  await server.download();
  await server.expectReceived(changed);
});

test('a server that ignores ranges sends everything again', async () => {
  const breaking = server.serve(CONTENT, '"a"', 9_000);
  server.handler = (request, response, call) => {
    if (call === 1) breaking(request, response, call);
    else response.writeHead(200, { etag: '"a"' }).end(CONTENT);
  };
  await server.download();
  await server.expectReceived(CONTENT);
});

test('a 416 for a part that is longer than the file restarts the download', async () => {
  server.handler = server.serve(CONTENT, '"a"', 9_000);
  const breaking = server.handler;
  server.handler = (request, response, call) => {
    if (call === 1) return breaking(request, response, call);
    if (request.headers.range === undefined) return void response.writeHead(200).end(OTHER);
    response.writeHead(416, { 'content-range': `bytes */${OTHER.length}` }).end();
  };
  await server.download();
  await server.expectReceived(OTHER);
});

test('a file with fewer bytes than announced is never accepted', async () => {
  server.handler = (_, response) => {
    response.writeHead(200, { 'content-length': CONTENT.length + 500 });
    response.write(CONTENT);
    server.cutAt(CONTENT.length, response);
  };
  await expect(server.download()).rejects.toThrow(/broke off/);
  expect(await readdir(server.folder)).not.toContain('export.gz');
});

test('a file with more bytes than announced is never accepted', async () => {
  const breaking = server.serve(CONTENT, '"a"', 9_000);
  server.handler = (request, response, call) => {
    if (request.headers.range === undefined) return breaking(request, response, call);
    // Chunked, so that the body can be longer than what Content-Range says.
    response.writeHead(206, { 'content-range': `bytes 9000-${CONTENT.length - 1}/${CONTENT.length}` });
    response.end(Buffer.concat([CONTENT.subarray(9_000), CONTENT]));
  };
  await expect(server.download()).rejects.toThrow(/more bytes than it announced/);
  expect(await readdir(server.folder)).not.toContain('export.gz');
});

test('bytes after the announced end are ignored, and nothing crashes', async () => {
  server.handler = (_, response) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${CONTENT.length}\r\n\r\n`;
    response.socket?.end(Buffer.concat([Buffer.from(head), CONTENT, CONTENT]));
  };
  await server.download();
  await server.expectReceived(CONTENT);
});

test('a pause before or within a response ends the attempt', async () => {
  const good = server.serve(CONTENT, '"a"');
  const isTold = (trouble: string) => server.troubles.some((told) => told.includes(trouble));
  // On a busy machine even a good response may take too long, so it is repeated until it succeeds.
  server.handler = (request, response, call) => {
    if (!isTold('no answer within 150 ms')) return;
    if (isTold('sent nothing for 150 ms')) return good(request, response, call);
    response.writeHead(200, { etag: '"a"', 'content-length': CONTENT.length });
    response.write(CONTENT.subarray(0, 5_000));
  };
  const patient = { maxAttempts: 1_000, maxFruitlessAttempts: 1_000 };
  await server.download({ limits: { ...LIMITS, ...patient, answerTimeoutMs: 150, idleTimeoutMs: 150 } });
  await server.expectReceived(CONTENT);
});

test('pauses double, obey Retry-After and stay within their limit', async () => {
  const answers = [503, 503, 429, 200];
  server.handler = (request, response, call) => {
    const status = answers[call - 1]!;
    if (status === 200) return server.serve(CONTENT, '"a"')(request, response, call);
    response.writeHead(status, status === 429 ? { 'retry-after': '600' } : {}).end();
  };
  await server.download({ limits: { ...LIMITS, maxFruitlessAttempts: 9 } });
  expect(server.waits).toEqual([1_000, 2_000, 8_000]);
});

test('the number of attempts without progress is limited', async () => {
  server.handler = (_, response) => void response.socket?.destroy();
  await expect(server.download()).rejects.toThrow(/Tried 3 times/);
  expect(server.ranges).toHaveLength(3);
});

test('a server without ranges that never completes the file is given up', async () => {
  const reached = [9_000, 3_000, 8_000, 5_000];
  server.handler = (request, response, call) => {
    request.headers = {};
    server.serve(CONTENT, '"a"', reached[call - 1] ?? 1_000)(request, response, call);
  };
  await expect(server.download()).rejects.toThrow(/broke off. Tried 4 times/);
});

test('an endless chain of redirects is stopped', async () => {
  server.handler = (request, response) => response.writeHead(302, { location: `${request.url}x` }).end();
  await expect(server.download({ limits: { ...LIMITS, maxFruitlessAttempts: 1 } })).rejects.toThrow(
    /3 redirects/,
  );
});
