import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseObjectKey } from '../../src/blobs/object-store.ts';
import { type BucketAccess, S3Bucket } from '../../src/blobs/s3/bucket.ts';
import { S3ObjectStore } from '../../src/blobs/s3/object-store.ts';
import { type RawAnswer, rawRequest } from '../support/raw-request.ts';
import { SWIFT_ACCESS, SWIFT_DOMAIN, type Swift, startSwift, whyNoSwift } from '../support/swift.ts';
import { HOUR_MS, objectStoreContract } from './object-store.ts';

const reason = whyNoSwift();
if (reason !== undefined) process.stderr.write(`Without Swift, S3 is not tested here: ${reason}.\n`);
describe.skipIf(reason !== undefined)('where Swift is installed', () => {
  let swift: Swift;
  let location: BucketAccess;
  beforeAll(async () => {
    swift = await startSwift();
    const { endpoint } = swift;
    location = { ...SWIFT_ACCESS, endpoint, bucket: 'larder', addressing: 'path', nowMs: Date.now };
    await new S3Bucket(location).send('PUT', '');
  });
  afterAll(() => swift.close());

  objectStoreContract('An S3 bucket', async () => ({
    store: new S3ObjectStore(location),
    other: new S3ObjectStore(location),
    past: new S3ObjectStore({ ...location, nowMs: () => Date.now() - HOUR_MS }),
    origin: swift.endpoint,
    can: { limitUnknownLengths: false, refuseSecondUploads: false },
    close: async () => {},
  }));

  test('URLs with the bucket in the host work like those with it in the path', async () => {
    const endpoint = `http://${SWIFT_DOMAIN}:${swift.port}`;
    const hosted = new S3ObjectStore({ ...location, endpoint, addressing: 'host' });
    const key = parseObjectKey('images/hosted');
    const expiresAtMs = Date.now() + HOUR_MS;
    const upload = { key, contentType: 'image/png', size: { maxBytes: 9, exactBytes: 5 }, expiresAtMs };
    const put = await send('PUT', await hosted.uploadAddress(upload), 'image/png', 'image');
    const get = await send('GET', await hosted.readAddress({ key, expiresAtMs }));
    expect([put.status, get.status, get.body]).toEqual([200, 200, 'image']);
    const other = await send('PUT', await hosted.uploadAddress(upload), 'image/gif', 'image');
    expect(other.status).toBe(403);
  });

  test('an error of the store is reported with its code', async () => {
    const store = new S3ObjectStore({ ...location, secretAccessKey: 'wrong' });
    await expect(store.list({ prefix: 'images/', limit: 1 })).rejects.toThrow('403 SignatureDoesNotMatch');
  });
});

/** To a host name that cannot be resolved. */
function send(method: string, address: string, contentType = '', body = ''): Promise<RawAnswer> {
  const { host, port, pathname, search } = new URL(address);
  const type = contentType === '' ? '' : `Content-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n`;
  const head = `${method} ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${type}`;
  return rawRequest(Number(port), `${head}\r\n${body}`);
}
