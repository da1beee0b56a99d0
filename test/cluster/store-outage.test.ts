import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { OutageError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { parseObjectKey } from '../../src/blobs/object-store.ts';
import { S3ObjectStore } from '../../src/blobs/s3/object-store.ts';
import { freePort } from '../support/free-port.ts';
import { startLocalServer } from '../support/local-server.ts';

const key = parseObjectKey('images/x');
const location = {
  region: 'us-east-1',
  bucket: 'larder',
  addressing: 'path',
  accessKeyId: 'a',
  secretAccessKey: 's',
  nowMs: Date.now,
} as const;
const storeAt = (endpoint: string) => new S3ObjectStore({ ...location, endpoint });

const requests: [string, (store: S3ObjectStore) => Promise<unknown>][] = [
  ['find', (store) => store.find(key)],
  ['read', (store) => store.read(key)],
  ['delete', (store) => store.delete(key)],
  ['list', (store) => store.list({ prefix: 'images/', limit: 1 })],
  [
    'put',
    (store) =>
      store.put({
        key,
        contentType: 'image/png',
        body: Readable.from([Buffer.from('x')]),
        size: { maxBytes: 9 },
      }),
  ],
];

test.each(requests)('%s reports an outage if the store is unreachable', async (_, ask) => {
  const store = storeAt(`http://127.0.0.1:${await freePort()}`);
  await expect(ask(store)).rejects.toBeInstanceOf(OutageError);
});

test.each(requests)('%s reports an outage if the store says that it is unavailable', async (_, ask) => {
  for (const status of [500, 503, 429]) {
    await using server = await startLocalServer((request, response) => {
      request.resume();
      response.writeHead(status).end('<Error><Code>SlowDown</Code></Error>');
    });
    await expect(ask(storeAt(server.base))).rejects.toBeInstanceOf(OutageError);
  }
});

test('a rejected request is not an outage', async () => {
  await using server = await startLocalServer((_, response) => response.writeHead(403).end());
  const refusal = await storeAt(server.base)
    .read(key)
    .catch((error) => error);
  expect([refusal instanceof OutageError, refusal.message]).toEqual([false, expect.stringContaining('403')]);
});

test('an interrupted object fails its reader', async () => {
  await using server = await startLocalServer((_, response) => {
    response.writeHead(200, { 'content-length': '9' });
    response.write('some', () => response.destroy());
  });
  const object = await storeAt(server.base).read(key);
  await expect(text(object!.body)).rejects.toBeInstanceOf(OutageError);
});
