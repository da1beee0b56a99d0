import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { openFolderObjects } from '../../../test/support/folder-objects.ts';
import { startLocalServer } from '../../../test/support/local-server.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { ObjectKey, ObjectStore } from '../../blobs/object-store.ts';
import { S3ObjectStore } from '../../blobs/s3/object-store.ts';
import { DiskReserve } from '../../files/disk-reserve.ts';
import { CATALOGUE_FORMAT_VERSION } from '../catalogue/format.ts';
import { partKey, sha256Hex } from './catalogue-parts.ts';
import type { CatalogueVersion } from './catalogue-versions.ts';
import { type FetchRequest, fetchCatalogue } from './fetch-catalogue.ts';

const PART_BYTES = 64 << 10;
const CONTENT = randomBytes(7 * PART_BYTES + 5);
const NAME = '20260421-101500-1a2b3c4d';
const PARTS = Array.from({ length: 8 }, (_, part) =>
  sha256Hex(CONTENT.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)),
);
const VERSION: CatalogueVersion = {
  name: NAME,
  formatVersion: CATALOGUE_FORMAT_VERSION,
  foods: 1,
  compiledAtMs: 0,
  publishedAtMs: 0,
  bytes: CONTENT.length,
  partBytes: PART_BYTES,
  parts: PARTS,
};
const NEVER = new AbortController().signal;

let folder: string;
let file: string;
let store: ObjectStore;
let asked: ObjectKey[];
beforeEach(async () => {
  const temp = tempFolder();
  folder = temp.path;
  file = join(folder, 'copy');
  store = await openFolderObjects(folder);
  asked = [];
  for (const part of PARTS.keys())
    await put(part, CONTENT.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
  return () => temp[Symbol.dispose]();
});

function put(part: number, bytes: Uint8Array): Promise<void> {
  const size = { maxBytes: bytes.length };
  const contentType = 'application/octet-stream';
  return store.put({ key: partKey(NAME, PARTS[part]!), contentType, body: Readable.from([bytes]), size });
}

/** Records requests. */
const objects: FetchRequest['objects'] = {
  read(key, signal) {
    asked.push(key);
    return store.read(key, signal);
  },
};

const fetchIt = (changes: Partial<FetchRequest> = {}) =>
  fetchCatalogue({
    version: VERSION,
    file,
    objects,
    disk: new DiskReserve({ folder, reserveBytes: 0 }),
    signal: NEVER,
    ...changes,
  });

test('a copy has every byte of the published file', async () => {
  await fetchIt();
  expect(readFileSync(file).equals(CONTENT)).toBe(true);
  expect(asked.toSorted()).toEqual(PARTS.map((sha256) => partKey(NAME, sha256)).toSorted());
});

test('an attempt continues with intact parts of an earlier one', async () => {
  const left = Buffer.from(CONTENT.subarray(0, 5 * PART_BYTES));
  left[PART_BYTES]!++;
  writeFileSync(file, left);
  await fetchIt();
  expect(readFileSync(file).equals(CONTENT)).toBe(true);
  expect(asked.toSorted()).toEqual([1, 5, 6, 7].map((part) => partKey(NAME, PARTS[part]!)).toSorted());
});

test('bytes beyond the end of the catalogue are cut off', async () => {
  writeFileSync(file, Buffer.concat([CONTENT, randomBytes(PART_BYTES)]));
  await fetchIt();
  expect(readFileSync(file).equals(CONTENT)).toBe(true);
  expect(asked).toEqual([]);
});

describe.each<[string, (part: number) => unknown, string]>([
  ['altered', (part) => put(part, randomBytes(PART_BYTES)), 'damaged'],
  ['too short', (part) => put(part, CONTENT.subarray(part * PART_BYTES, part * PART_BYTES + 9)), 'damaged'],
  ['too long', (part) => put(part, randomBytes(3 * PART_BYTES)), 'damaged'],
  ['gone', (part) => store.delete(partKey(NAME, PARTS[part]!)), 'missing'],
])('a part that is %s', (_, spoil, code) => {
  test('is reported as damaged, and fetched after its repair', async () => {
    await spoil(4);
    await expect(fetchIt()).rejects.toMatchObject({ name: 'CopyProblem', code });
    await put(4, CONTENT.subarray(4 * PART_BYTES, 5 * PART_BYTES));
    await fetchIt();
    expect(readFileSync(file).equals(CONTENT)).toBe(true);
  });
});

test('inconsistent facts about a version prevent the download', async () => {
  for (const wrong of [{ bytes: 9 }, { partBytes: 1 << 30 }, { bytes: 1e15, parts: PARTS }]) {
    await expect(fetchIt({ version: { ...VERSION, ...wrong } })).rejects.toMatchObject({ code: 'damaged' });
  }
  expect([asked, existsSync(file)]).toEqual([[], false]);
});

test('an attempt that is aborted ends with the reason', async () => {
  const reason = new Error('another one is active');
  await expect(fetchIt({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(asked).toEqual([]);
});

describe('a disk', () => {
  test.runIf(existsSync('/dev/full'))('that is full is distinguished from others', async () => {
    await expect(fetchIt({ file: '/dev/full' })).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringContaining('takes 1 MB'),
    });
  });

  test('with too little room beyond its reserve is not written to', async () => {
    const disk = new DiskReserve({ folder, reserveBytes: 1, free: async () => CONTENT.length });
    await expect(fetchIt({ disk })).rejects.toMatchObject({ code: 'disk_full' });
    expect(asked).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  test('that reaches its reserve interrupts the download, which continues when there is room', async () => {
    let freeBytes = 2 * CONTENT.length;
    const disk = new DiskReserve({ folder, reserveBytes: 1, free: async () => freeBytes });
    const filling: FetchRequest['objects'] = {
      read(key, signal) {
        if (asked.length === 5) freeBytes = 0;
        return objects.read(key, signal);
      },
    };
    await expect(fetchIt({ disk, objects: filling })).rejects.toMatchObject({ code: 'disk_full' });
    freeBytes = 2 * CONTENT.length;
    const askedBefore = asked.length;
    await fetchIt({ disk });
    expect(readFileSync(file)).toEqual(CONTENT);
    expect(asked.length - askedBefore).toBeLessThan(PARTS.length);
  });

  test('that cannot be written to is reported without its path', async () => {
    mkdirSync(file);
    await expect(fetchIt()).rejects.toMatchObject({
      code: 'cannot_write',
      message: 'the data folder cannot be written to (EISDIR)',
    });
  });
});

describe('a store', () => {
  const at = (endpoint: string) =>
    new S3ObjectStore({
      endpoint,
      bucket: 'larder',
      region: 'us-east-1',
      addressing: 'path',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      nowMs: Date.now,
    });

  test('that is unavailable is reported so', async () => {
    await using server = await startLocalServer(() => {});
    const { base } = server;
    await server[Symbol.asyncDispose]();
    await expect(fetchIt({ objects: at(base) })).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test('that answers with 503 is reported so', async () => {
    await using server = await startLocalServer((_, response) => response.writeHead(503).end());
    await expect(fetchIt({ objects: at(server.base) })).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test.each([
    ['before it answers', false],
    ['in the midst of a part', true],
  ])('that hangs %s is abandoned', async (_, sendsSome) => {
    await using server = await startLocalServer((_request, response) => {
      if (sendsSome) response.writeHead(200, { 'content-length': PART_BYTES }).write('some');
    });
    await expect(fetchIt({ objects: at(server.base), stallMs: 50 })).rejects.toMatchObject({
      code: 'store_unavailable',
    });
  });
});
