import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startLocalServer } from '../../../test/support/local-server.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { BucketBackups } from './bucket-backups.ts';

/** The requests of a multipart upload, as "Multipart upload" in the S3 API reference describes them. */
async function multipartStore({ fails = false } = {}) {
  const parts = new Map<string, Buffer>();
  const asked: string[] = [];
  let whole: Buffer | undefined;
  const server = await startLocalServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://s3');
    const body = await buffer(request);
    const part = searchParams.get('partNumber');
    asked.push(`${request.method} ${pathname}${part === null ? '' : ` part ${part}`}`);
    if (request.method === 'POST' && searchParams.has('uploads'))
      return void response.end('<X><UploadId>a&amp;b/c</UploadId></X>');
    if (part !== null) {
      expect(searchParams.get('uploadId')).toBe('a&b/c');
      parts.set(`"tag${part}"`, body);
      return void response.setHeader('etag', `"tag${part}"`).end();
    }
    if (request.method === 'POST') {
      if (fails) return void response.end('<Error><Code>InternalError</Code></Error>');
      const tags = Array.from(String(body).matchAll(/<ETag>(.*?)<\/ETag>/g), ([, tag]) => tag!);
      whole = Buffer.concat(tags.map((tag) => parts.get(tag)!));
    }
    response.end('<X/>');
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { url: server.base, asked, whole: () => whole };
}

function openBackups(endpoint: string) {
  const folder = tempFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return new BucketBackups({
    bucket: {
      endpoint,
      bucket: 'backups',
      addressing: 'path',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      nowMs: Date.now,
    },
    prefix: 'house/',
    dataDir: folder.path,
    partBytes: 1_000,
  });
}

test('a large backup is sent in parts, in order, and then its checksum', async () => {
  const store = await multipartStore();
  const bytes = randomBytes(2_500);
  await openBackups(store.url).keep('a.db', async (file) => {
    await writeFile(file, bytes);
    return 'ab12';
  });
  expect(store.whole()?.equals(bytes)).toBe(true);
  expect(store.asked).toEqual([
    'POST /backups/house/a.db',
    'PUT /backups/house/a.db part 1',
    'PUT /backups/house/a.db part 2',
    'PUT /backups/house/a.db part 3',
    'POST /backups/house/a.db',
    'PUT /backups/house/a.db.sha256',
  ]);
});

test('parts of an upload that fails at its end are removed, and no checksum says that it is there', async () => {
  const store = await multipartStore({ fails: true });
  const kept = openBackups(store.url).keep('a.db', async (file) => {
    await writeFile(file, randomBytes(1_001));
    return 'ab12';
  });
  await expect(kept).rejects.toThrow('The object store did not keep house/a.db.');
  expect(store.asked.at(-1)).toBe('DELETE /backups/house/a.db');
});
