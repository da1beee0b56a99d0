import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type NewObject,
  type ObjectKey,
  type ObjectStore,
  parseObjectKey,
  type UploadGrant,
} from '../../src/blobs/object-store.ts';

export interface OpenedObjectStore {
  readonly store: ObjectStore;
  /** A store of another process with the same objects. */
  readonly other: ObjectStore;
  /** A store with the same objects whose clock is an hour behind. */
  readonly past: ObjectStore;
  /** Base of URLs that begin with `/`. */
  readonly origin: string;
  /** Optional features of a store. */
  readonly can: { readonly limitUnknownLengths: boolean; readonly refuseSecondUploads: boolean };
  close(): Promise<void>;
}

const LARGE_BYTES = 8 << 20;
export const HOUR_MS = 3_600_000;
const PHOTO = Buffer.from('not really a photo');
const OTHER_PHOTO = Buffer.from('another, longer than the first');

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 5) yield bytes.subarray(at, at + 5);
}

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield PHOTO;
  throw new Error('broke off');
}

const newKey = (folder = 'images') => parseObjectKey(`${folder}/${randomUUID()}`);

function photo(key: ObjectKey, bytes: Uint8Array = PHOTO): NewObject {
  return { key, contentType: 'image/jpeg', body: chunks(bytes), size: { maxBytes: 1_000 } };
}

/** Contract of object stores. */
export function objectStoreContract(name: string, open: () => Promise<OpenedObjectStore>): void {
  describe(`${name} keeps the guarantees of an object store`, () => {
    let opened: OpenedObjectStore;
    let store: ObjectStore;
    beforeAll(async () => {
      opened = await open();
      store = opened.store;
    });
    afterAll(() => opened.close());

    async function bytesAt(key: ObjectKey): Promise<Buffer | undefined> {
      const object = await opened.other.read(key);
      return object && (await buffer(object.body));
    }
    const send = (address: string, init: RequestInit = {}) => fetch(new URL(address, opened.origin), init);
    const upload = (
      address: string,
      body: Uint8Array<ArrayBuffer> | ReadableStream,
      contentType = 'image/jpeg',
    ) =>
      send(address, {
        method: 'PUT',
        body,
        headers: { 'content-type': contentType },
        duplex: 'half',
      } as RequestInit);
    const grant = (changes: Partial<UploadGrant> = {}): UploadGrant => ({
      key: newKey(),
      contentType: 'image/jpeg',
      size: { maxBytes: 1_000 },
      expiresAtMs: Date.now() + HOUR_MS / 2,
      ...changes,
    });

    test('a stored object is visible to all with its type, size and time', async () => {
      const key = newKey();
      await store.put(photo(key));
      const found = await opened.other.find(key);
      expect(found).toEqual({
        key,
        contentType: 'image/jpeg',
        sizeBytes: PHOTO.length,
        storedAtMs: expect.any(Number),
      });
      expect(Math.abs(found!.storedAtMs - Date.now())).toBeLessThan(HOUR_MS);
      const { body, ...read } = (await opened.other.read(key))!;
      expect(read).toEqual(found);
      expect(await buffer(body)).toEqual(PHOTO);
    });

    test('a missing object is undefined, and deleting it does nothing', async () => {
      const key = newKey();
      expect([await store.find(key), await store.read(key)]).toEqual([undefined, undefined]);
      await store.delete(key);
    });

    test('a second put replaces the first, including its type', async () => {
      const key = newKey();
      await store.put(photo(key));
      await store.put({ ...photo(key, OTHER_PHOTO), contentType: 'image/png' });
      expect(await bytesAt(key)).toEqual(OTHER_PHOTO);
      expect((await opened.other.find(key))!.contentType).toBe('image/png');
    });

    test('concurrent puts of one object leave one complete body', async () => {
      const key = newKey();
      const bodies = Array.from({ length: 8 }, (_, at) => Buffer.from(`body ${at}`.repeat(at + 1)));
      await Promise.all(bodies.map((body) => store.put(photo(key, body))));
      expect(bodies).toContainEqual(await bytesAt(key));
    });

    test.each([
      ['too long', photo, { maxBytes: PHOTO.length - 1 }, 'payload_too_large'],
      ['longer than announced', photo, { maxBytes: 1_000, exactBytes: 3 }, 'payload_too_large'],
      ['shorter than announced', photo, { maxBytes: 1_000, exactBytes: 999 }, 'invalid_request'],
      ['empty', (key: ObjectKey) => photo(key, Buffer.alloc(0)), { maxBytes: 1_000 }, 'invalid_request'],
    ])('a body that is %s is not stored, and the previous object stays', async (_, make, size, code) => {
      const absent = newKey();
      const there = newKey();
      await store.put(photo(there, OTHER_PHOTO));
      for (const key of [absent, there]) {
        await expect(store.put({ ...make(key), size })).rejects.toMatchObject({ code });
      }
      expect(await store.find(absent)).toBeUndefined();
      expect(await bytesAt(there)).toEqual(OTHER_PHOTO);
    });

    test('an interrupted body is not stored', async () => {
      const key = newKey();
      await expect(store.put({ ...photo(key), body: breakingOff() })).rejects.toThrow('broke off');
      expect(await store.find(key)).toBeUndefined();
    });

    test('an aborted read fails, before its start and in the middle', async () => {
      const key = newKey();
      // More than any buffer holds.
      const body = Readable.from([Buffer.alloc(LARGE_BYTES)]);
      await store.put({ key, contentType: 'image/jpeg', body, size: { maxBytes: LARGE_BYTES } });
      const read = async (signal: AbortSignal) => (await store.read(key, signal))!.body;
      await expect(read(AbortSignal.abort()).then(buffer)).rejects.toThrow();
      const midst = new AbortController();
      const reading = await read(midst.signal);
      midst.abort();
      await expect(buffer(reading)).rejects.toThrow();
      expect(await bytesAt(key)).toHaveLength(LARGE_BYTES);
    });

    test('a deleted object is gone for all', async () => {
      const key = newKey();
      await store.put(photo(key));
      await store.delete(key);
      expect(await opened.other.find(key)).toBeUndefined();
    });

    test('a folder is listed page by page in the order of keys', async () => {
      const names = ['0b', '0a', '0a.x', '0a-x', 'z', '1', '0a_'];
      const keys = names.map((name) => parseObjectKey(`listed/${name}`));
      for (const key of keys) await store.put(photo(key));
      await store.put(photo(parseObjectKey('listed-not/0a')));
      const list = async (page: { prefix: string; after?: ObjectKey; limit: number }) =>
        (await opened.other.list(page)).map(({ key }) => key);

      const sorted = keys.toSorted();
      expect(await list({ prefix: 'listed/', limit: 3 })).toEqual(sorted.slice(0, 3));
      expect(await list({ prefix: 'listed/', after: sorted[2]!, limit: 3 })).toEqual(sorted.slice(3, 6));
      expect(await list({ prefix: 'listed/', after: sorted[6]!, limit: 3 })).toEqual([]);
      expect(await list({ prefix: 'listed/0a', limit: 9 })).toEqual(
        sorted.filter((key) => key.startsWith('listed/0a')),
      );
      expect(await list({ prefix: 'nothing/', limit: 9 })).toEqual([]);
      const [first] = await opened.other.list({ prefix: 'listed/', limit: 1 });
      expect(first).toEqual({ key: sorted[0], sizeBytes: PHOTO.length, storedAtMs: expect.any(Number) });
    });

    test('a client uploads and reads with signed URLs alone', async () => {
      const granted = grant();
      expect((await upload(await store.uploadAddress(granted), PHOTO)).status).toBe(200);
      expect(await opened.other.find(granted.key)).toMatchObject({
        contentType: 'image/jpeg',
        sizeBytes: PHOTO.length,
      });

      const address = await opened.store.readAddress({ key: granted.key, expiresAtMs: Date.now() + HOUR_MS });
      const answer = await send(address);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(PHOTO);
    });

    test('an upload with another type, length, method or key is not stored', async () => {
      const granted = grant({ size: { maxBytes: 1_000, exactBytes: PHOTO.length } });
      const { key } = granted;
      const elsewhere = newKey();
      const address = await store.uploadAddress(granted);
      const reading = await store.readAddress({ key, expiresAtMs: granted.expiresAtMs });
      const refused = [
        await upload(address, PHOTO, 'image/png'),
        await upload(address, OTHER_PHOTO),
        await upload(address, PHOTO.subarray(1)),
        await upload(address.replace(key, elsewhere), PHOTO),
        await upload(address.replace(/[Ss]ignature=./, '$&x'), PHOTO),
        await upload(address.replace(/[^?]*$/, ''), PHOTO),
        await upload(reading, PHOTO),
        await send(address, { method: 'DELETE' }),
      ];
      for (const { status } of refused) {
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
      }
      expect([await store.find(key), await store.find(elsewhere)]).toEqual([undefined, undefined]);
      expect((await upload(address, PHOTO)).status).toBe(200);
    });

    test('a signed URL is valid only for its purpose and time', async () => {
      const key = newKey();
      const elsewhere = newKey();
      await store.put(photo(key));
      await store.put(photo(elsewhere));
      const address = await store.readAddress({ key, expiresAtMs: Date.now() + HOUR_MS });
      const expired = await opened.past.readAddress({ key, expiresAtMs: Date.now() - HOUR_MS / 2 });
      const uploading = await store.uploadAddress(grant({ key }));
      const statuses = [address.replace(key, elsewhere), expired, uploading].map(
        async (refused) => (await send(refused)).status,
      );
      expect(await Promise.all(statuses)).toEqual([403, 403, 403]);
      const late = grant({ expiresAtMs: Date.now() - HOUR_MS / 2 });
      expect((await upload(await opened.past.uploadAddress(late), PHOTO)).status).toBe(403);
      expect(await store.find(late.key)).toBeUndefined();
    });

    test('a signed URL of a deleted object returns 404', async () => {
      const address = await store.readAddress({ key: newKey(), expiresAtMs: Date.now() + HOUR_MS });
      expect((await send(address)).status).toBe(404);
    });

    test('a store with these features limits unknown lengths and accepts one upload', async () => {
      const granted = grant({ size: { maxBytes: PHOTO.length } });
      const address = await store.uploadAddress(granted);
      if (opened.can.limitUnknownLengths) {
        expect((await upload(address, OTHER_PHOTO)).status).toBe(413);
        expect((await upload(address, new Blob([OTHER_PHOTO]).stream())).status).toBe(413);
        expect(await store.find(granted.key)).toBeUndefined();
      }
      expect((await upload(address, PHOTO)).status).toBe(200);
      if (opened.can.refuseSecondUploads) {
        expect((await upload(address, OTHER_PHOTO.subarray(0, 3))).status).toBe(403);
        expect(await bytesAt(granted.key)).toEqual(PHOTO);
      }
    });
  });
}
