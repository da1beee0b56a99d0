import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { OutageError } from '@larder/core/errors.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../../test/support/local-server.ts';
import { MAX_OBJECT_BYTES, type ObjectKey, parseObjectKey } from '../object-store.ts';
import { S3ObjectStore } from './object-store.ts';

let bucket: string[];
let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer(answerListing);
});
afterEach(() => server[Symbol.asyncDispose]());

/** Tokens are names after a character that XML must escape. */
function answerListing(request: IncomingMessage, response: ServerResponse): void {
  const query = new URL(request.url!, 'http://any').searchParams;
  const after = query.get('continuation-token')?.slice(1) ?? query.get('start-after') ?? '';
  const rest = bucket.toSorted().filter((key) => key.startsWith(query.get('prefix')!) && key > after);
  const page = rest.slice(0, Number(query.get('max-keys')));
  const token = page.length < rest.length ? escaped(`&${page.at(-1)}`) : '';
  response.end(
    `<ListBucketResult><NextContinuationToken>${token}</NextContinuationToken>${page.map(toXml).join('')}</ListBucketResult>`,
  );
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;');

function toXml(key: string): string {
  return `<Contents><Key>${escaped(key)}</Key><Size>3</Size><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>`;
}

const storeAt = (endpoint: string) =>
  new S3ObjectStore({
    endpoint,
    region: 'any',
    bucket: 'larder',
    addressing: 'path',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    nowMs: Date.now,
  });

async function listAll(limit: number): Promise<readonly ObjectKey[][]> {
  const store = storeAt(server.base);
  const pages: ObjectKey[][] = [];
  for (let after: ObjectKey | undefined; ; ) {
    const page = await store.list({ prefix: 'images/', ...(after !== undefined && { after }), limit });
    pages.push(page.map(({ key }) => key));
    after = page.at(-1)?.key;
    if (page.length < limit) return pages;
  }
}

const KEYS = ['images/1', 'images/2', 'images/5', 'images/7', 'images/9'].map(parseObjectKey);

test.each([1, 2, 3, 5, 6, 1_000])('names that are not keys are skipped, in pages of %i', async (limit) => {
  bucket = [...KEYS, 'images/', 'images/0 copy', "images/3'&", 'images/4/5', 'images/8X', 'images/99/'];
  const pages = await listAll(limit);
  expect(pages.flat()).toEqual(KEYS);
  for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
});

test('at most the maximum size is read of a larger object', async () => {
  const chunk = Buffer.alloc(1024 * 1024);
  await using endless = await startLocalServer((_, response) => {
    const send = () => {
      if (!response.destroyed) response.write(chunk, () => setImmediate(send));
    };
    send();
  });
  const { body } = (await storeAt(endless.base).read(KEYS[0]!))!;
  let sizeBytes = 0;
  const reading = (async () => {
    for await (const part of body) sizeBytes += part.length;
  })();
  await expect(reading).rejects.toThrow('too long');
  expect(sizeBytes).toBeLessThanOrEqual(MAX_OBJECT_BYTES);
});

test('a folder with only names that are not keys is empty', async () => {
  bucket = ['images/', 'images/A', 'images/B'];
  expect(await listAll(1)).toEqual([[]]);
});

test.each([
  [403, 'InvalidAccessKeyId', true],
  [403, 'SignatureDoesNotMatch', true],
  [403, 'ExpiredToken', true],
  [403, 'RequestTimeTooSkewed', true],
  [403, 'AccessDenied', false],
  [404, 'NoSuchBucket', true],
])('%i %s is an outage, during which scans wait: %s', async (status, code, isOutage) => {
  await using refusing = await startLocalServer((_, response) => {
    response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
  });
  const store = storeAt(refusing.base);
  for (const attempt of [
    () => store.read(KEYS[0]!),
    () => store.delete(KEYS[0]!),
    () => store.list({ prefix: 'images/', limit: 1 }),
    () =>
      store.put({
        key: KEYS[0]!,
        contentType: 'image/png',
        body: Readable.from([Buffer.from('x')]),
        size: { maxBytes: 1 },
      }),
  ]) {
    const error = await attempt().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    // The message says what to do where every request fails.
    expect(/; (?:create|correct|renew) /.test((error as Error).message)).toBe(isOutage);
    expect((error as Error).message).toContain(`${status} ${code}`);
    expect(error instanceof OutageError).toBe(isOutage);
  }
});

test('an object is read slowly from a store that closes the connection', async () => {
  const size = 70_000;
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\nconnection: close\r\n\r\n`;
  const closing = createServer((socket) => socket.once('data', () => socket.end(head + 'a'.repeat(size))));
  await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve));
  const { port } = closing.address() as { port: number };
  const { body } = (await storeAt(`http://127.0.0.1:${port}`).read(KEYS[0]!))!;
  await pause(20);
  expect(await buffer(body)).toHaveLength(size);
  await new Promise((resolve) => closing.close(resolve));
});
