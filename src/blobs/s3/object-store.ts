import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import {
  type ListedObject,
  MAX_LISTED_OBJECTS,
  MAX_OBJECT_BYTES,
  measured,
  type NewObject,
  type ObjectKey,
  type ObjectPage,
  type ObjectStore,
  type OpenObject,
  parseKeyPrefix,
  type ReadGrant,
  type StoredObject,
  type UploadGrant,
} from '../object-store.ts';
import { type BucketAccess, S3Bucket, toOutage } from './bucket.ts';
import { type Listing, parseListing } from './xml.ts';

/**
 * Objects in a bucket of any S3-compatible store. An upload URL fixes the content type, and the length if it
 * is known; S3 can enforce no other limit on it, and accepts further uploads until the URL expires. Bodies
 * that the service itself stores are buffered in memory, at most `MAX_OBJECT_BYTES`, because S3 needs their
 * length in advance.
 */
export class S3ObjectStore implements ObjectStore {
  readonly #bucket: S3Bucket;

  constructor(location: BucketAccess) {
    this.#bucket = new S3Bucket(location);
  }

  async put({ key, contentType, body, size }: NewObject): Promise<void> {
    const bytes = await buffer(measured(body, size));
    const response = await this.#bucket.send('PUT', key, {
      body: bytes,
      headers: {
        'content-type': contentType,
        'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
      },
    });
    response.resume();
  }

  async find(key: ObjectKey): Promise<StoredObject | undefined> {
    const response = await this.#bucket.sendToObject('HEAD', key);
    response?.resume();
    return response && toStored(key, response.headers);
  }

  async read(key: ObjectKey, signal?: AbortSignal): Promise<OpenObject | undefined> {
    const response = await this.#bucket.sendToObject('GET', key, signal === undefined ? {} : { signal });
    return response && { ...toStored(key, response.headers), body: Readable.from(bytesOf(response, signal)) };
  }

  async delete(key: ObjectKey): Promise<void> {
    const response = await this.#bucket.sendToObject('DELETE', key);
    response?.resume();
  }

  /** Requests more if skipped names made the page short, because a short page means that it is the last one. */
  async list({ prefix, after, limit }: ObjectPage): Promise<readonly ListedObject[]> {
    parseKeyPrefix(prefix);
    const pageSize = Math.min(limit, MAX_LISTED_OBJECTS);
    const page: ListedObject[] = [];
    let from: Record<string, string> = after === undefined ? {} : { 'start-after': after };
    for (;;) {
      const { objects, nextToken } = await this.#listOnce({ prefix, 'max-keys': String(pageSize), ...from });
      page.push(...objects);
      if (nextToken === undefined || page.length >= pageSize) return page.slice(0, pageSize);
      from = { 'continuation-token': nextToken };
    }
  }

  /** Does nothing: in S3, an interrupted PUT leaves nothing. */
  async removeLeftovers(): Promise<void> {}

  uploadAddress({ key, contentType, size: { exactBytes }, expiresAtMs }: UploadGrant): Promise<string> {
    return this.#bucket.presign('PUT', key, expiresAtMs, {
      'content-type': contentType,
      ...(exactBytes !== undefined && { 'content-length': String(exactBytes) }),
    });
  }

  readAddress({ key, expiresAtMs }: ReadGrant): Promise<string> {
    return this.#bucket.presign('GET', key, expiresAtMs);
  }

  async #listOnce(query: Readonly<Record<string, string>>): Promise<Listing> {
    const response = await this.#bucket.send(
      'GET',
      `?${new URLSearchParams({ 'list-type': '2', ...query })}`,
    );
    return parseListing(
      await text(response).catch((error) => {
        throw toOutage(error, undefined);
      }),
    );
  }
}

/** Reads the body, at most `MAX_OBJECT_BYTES`; an interrupted one is an `OutageError` too. */
async function* bytesOf(body: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  try {
    for await (const chunk of body) {
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_OBJECT_BYTES) break;
      yield chunk;
    }
  } catch (error) {
    throw toOutage(error, signal);
  }
  if (sizeBytes > MAX_OBJECT_BYTES) throw new Error('object storage has an object that is too long');
}

function toStored(key: ObjectKey, headers: IncomingHttpHeaders): StoredObject {
  return {
    key,
    contentType: headers['content-type'] ?? 'application/octet-stream',
    sizeBytes: Number(headers['content-length']),
    storedAtMs: Date.parse(headers['last-modified'] ?? ''),
  };
}
