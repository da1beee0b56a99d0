import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { OperatorError, OutageError } from '@larder/core/errors.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { DiskReserve } from '../../files/disk-reserve.ts';
import { parseObjectKey } from '../object-store.ts';
import { UrlSigner } from '../signed-url.ts';
import { ensureObjectSecret, FolderObjectStore } from './object-store.ts';

const HOUR_MS = 3_600_000;
const MEBIBYTE = 1024 * 1024;
const KEY = parseObjectKey('images/1');

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder[Symbol.dispose]());

function open(
  nowMs = Date.now,
  { thread, freeBytes = () => 1_000 }: { thread?: number; freeBytes?: () => number } = {},
): Promise<FolderObjectStore> {
  const signer = new UrlSigner({ secret: Buffer.alloc(32) });
  const disk = new DiskReserve({ folder: folder.path, reserveBytes: 1_000, free: async () => freeBytes() });
  return FolderObjectStore.open({
    dataDir: folder.path,
    signer,
    disk,
    nowMs,
    ...(thread !== undefined && { thread }),
  });
}

const object = (text: string) => ({
  key: KEY,
  contentType: 'image/png',
  body: Readable.from([Buffer.from(text)]),
  size: { maxBytes: 100 },
});

it('of concurrent puts of an absent object one stores it; the others change nothing', async () => {
  const store = await open();
  const texts = Array.from({ length: 8 }, (_, at) => `body ${at}`);
  const stored = await Promise.all(texts.map((text) => store.putAbsent(object(text))));
  expect(stored.filter((isStored) => isStored)).toHaveLength(1);
  expect(await store.putAbsent(object('late'))).toBe(false);
  expect(String(await buffer((await store.read(KEY))!.body))).toBe(texts[stored.indexOf(true)]);
});

it('leftovers of an interrupted upload are removed after an hour, running uploads are kept', async () => {
  await open();
  const incoming = join(folder.path, 'objects', '.incoming');
  for (const name of ['old', 'new']) writeFileSync(join(incoming, name), 'half an obj');
  const longAgo = Date.now() / 1000 - 2 * 3_600;
  utimesSync(join(incoming, 'old'), longAgo, longAgo);
  await open();
  expect(readdirSync(incoming)).toEqual(['new']);
  await open(() => Date.now() + HOUR_MS + 1_000);
  expect(readdirSync(incoming)).toEqual([]);
});

it('leftovers of a thread are removed when it is replaced, and those of a process at the next start', async () => {
  await open();
  const incoming = join(folder.path, 'objects', '.incoming');
  for (const name of ['upload-1-a', 'upload-1-b', 'upload-10-a', 'upload-2-a', 'an-analysis']) {
    writeFileSync(join(incoming, name), 'half an obj');
  }
  await open(Date.now, { thread: 1 });
  expect(readdirSync(incoming).toSorted()).toEqual(['an-analysis', 'upload-10-a', 'upload-2-a']);
  await FolderObjectStore.removeUploads(folder.path);
  expect(readdirSync(incoming)).toEqual(['an-analysis']);
});

it('leftovers are removed while the store is open, too', async () => {
  let nowMs = Date.now();
  const store = await open(() => nowMs);
  const incoming = join(folder.path, 'objects', '.incoming');
  writeFileSync(join(incoming, 'left'), 'half an obj');
  await store.removeLeftovers();
  expect(readdirSync(incoming)).toEqual(['left']);
  nowMs += HOUR_MS + 1_000;
  await store.removeLeftovers();
  expect(readdirSync(incoming)).toEqual([]);
});

it('other files do not prevent objects from being listed', async () => {
  const store = await open();
  await store.put(object('text'));
  for (const name of ['.DS_Store', 'Thumbs.db', 'a copy.jpg']) {
    writeFileSync(join(folder.path, 'objects', 'images', name), '');
  }
  const listed = await store.list({ prefix: 'images/', limit: 1 });
  expect(listed.map(({ key }) => key)).toEqual([KEY]);
  expect(await store.list({ prefix: 'images/', after: KEY, limit: 1 })).toEqual([]);
});

it('pages of a list continue after the previous one, whatever is added or deleted meanwhile', async () => {
  const store = await open();
  const keyOf = (number: number) => parseObjectKey(`images/${number}`);
  for (let number = 10; number < 30; number++) await store.put({ ...object('text'), key: keyOf(number) });
  const listed: string[] = [];
  for (let after: ReturnType<typeof keyOf> | undefined; ; ) {
    const page = await store.list({ prefix: 'images/', ...(after !== undefined && { after }), limit: 3 });
    listed.push(...page.map(({ key }) => key));
    if (page.length < 3) break;
    after = page.at(-1)!.key;
    // Another list in between, a deleted object, and an object added before the position of this list.
    if (listed.length === 6) await store.list({ prefix: 'images/2', limit: 1 });
    await store.delete(keyOf(Number(after.slice('images/'.length)) + 2));
    await store.put({ ...object('text'), key: keyOf(0) });
  }
  expect(listed).toEqual(listed.toSorted());
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed).toEqual([10, 11, 12, 13, 15, 16, 17, 19, 20, 21, 23, 24, 25, 27, 28, 29].map(keyOf));
});

it('a file that is not an object is not listed as one', async () => {
  const store = await open();
  await store.put(object('text'));
  writeFileSync(join(folder.path, 'objects', KEY), 'edited by hand');
  await expect(store.find(KEY)).rejects.toThrow('no object');
  await expect(store.read(KEY)).rejects.toThrow('no object');
});

it('processes that start at the same time sign with the same secret, which only the owner may read', async () => {
  const secrets = await Promise.all(
    Array.from({ length: 8 }, () => ensureObjectSecret(folder.path, randomBytes)),
  );
  expect(new Set(secrets.map(String)).size).toBe(1);
  expect(readdirSync(folder.path)).toEqual(['object-secret']);
  expect(statSync(join(folder.path, 'object-secret')).mode & 0o777).toBe(0o600);
});

it('a damaged secret is reported, never replaced', async () => {
  writeFileSync(join(folder.path, 'object-secret'), 'short');
  await expect(ensureObjectSecret(folder.path, randomBytes)).rejects.toThrow(OperatorError);
});

const FULL = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

it('a full disk is an outage, and no partial object remains', async () => {
  const store = await open();
  const body = () =>
    Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw FULL;
      })(),
    );
  await expect(store.put({ ...object(''), body: body() })).rejects.toThrow(OutageError);
  await expect(store.putAbsent({ ...object(''), body: body() })).rejects.toMatchObject({
    code: 'storage_full',
  });
  expect(readdirSync(join(folder.path, 'objects', '.incoming'))).toEqual([]);
});

it.each(['EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE'])(
  'an unwritable folder is an outage: %s',
  async (code) => {
    const store = await open();
    const body = () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('half');
          throw Object.assign(new Error(code), { code });
        })(),
      );
    await expect(store.put({ ...object(''), body: body() })).rejects.toThrow(OutageError);
    await expect(store.putAbsent({ ...object(''), body: body() })).rejects.toThrow(OutageError);
  },
);

it('the disk reserve remains free, also if a body reaches it halfway', async () => {
  let freeBytes = 999;
  const store = await open(Date.now, { freeBytes: () => freeBytes });
  await expect(store.put(object('text'))).rejects.toThrow(OutageError);
  await expect(store.putAbsent(object('text'))).rejects.toMatchObject({ code: 'storage_full' });
  freeBytes = 1_000;
  let sent = 0;
  const body = Readable.from(
    (async function* () {
      for (; sent < 9; sent++) {
        yield Buffer.alloc(MEBIBYTE / 2);
        if (sent === 4) freeBytes = 999;
      }
    })(),
  );
  const long = { ...object(''), body, size: { maxBytes: 9 * MEBIBYTE } };
  await expect(store.putAbsent(long)).rejects.toMatchObject({ code: 'storage_full' });
  // Within a mebibyte, except for what the stream has read ahead.
  expect(sent).toBeLessThan(9);
  expect(readdirSync(join(folder.path, 'objects', '.incoming'))).toEqual([]);
  freeBytes = 1_000;
  expect(await store.putAbsent(object('text'))).toBe(true);
});
