import type { Readable } from 'node:stream';
import { AppError } from '@larder/core/errors.ts';
import { count, counted } from '../base/texts.ts';

declare const brand: unique symbol;

/**
 * The key of an object: a folder and a name, such as `images/01900000-0000-7000-8000-000000000000`. Keys are lower
 * case, so that they stay distinct on every file system, and need no escaping in URLs.
 */
export type ObjectKey = string & { readonly [brand]: 'ObjectKey' };

const FOLDER = '[a-z][a-z0-9-]{0,31}';
const KEY = new RegExp(`^${FOLDER}/[a-z0-9][a-z0-9._-]{0,127}$`);
const PREFIX = new RegExp(`^${FOLDER}/(?:[a-z0-9][a-z0-9._-]{0,127})?$`);

export function isObjectKey(text: string): text is ObjectKey {
  return KEY.test(text);
}

/** Throws a plain error because the program makes the keys, never clients. */
export function parseObjectKey(text: string): ObjectKey {
  if (!KEY.test(text)) throw new Error(`${JSON.stringify(text)} is no object key`);
  return text as ObjectKey;
}

/** A prefix of keys: a whole folder (`images/`), or the names in it with a common beginning (`images/0190`). */
export function parseKeyPrefix(text: string): { readonly folder: string; readonly namePrefix: string } {
  if (!PREFIX.test(text)) throw new Error(`${JSON.stringify(text)} is no prefix of object keys`);
  const [folder, namePrefix] = text.split('/') as [string, string];
  return { folder, namePrefix };
}

/** Maximum size of an object: an image of a client, or an object that the service itself makes. */
export const MAX_OBJECT_BYTES = 10 * 1024 * 1024;
/** Maximum objects on one page of a list. */
export const MAX_LISTED_OBJECTS = 1_000;

export interface ListedObject {
  readonly key: ObjectKey;
  readonly sizeBytes: number;
  /** Unix milliseconds by the store's clock, to the second. */
  readonly storedAtMs: number;
}

export interface StoredObject extends ListedObject {
  readonly contentType: string;
}

/** An object that is being read. The receiver must read the body to its end or destroy it. */
export interface OpenObject extends StoredObject {
  readonly body: Readable;
}

export interface NewObject {
  readonly key: ObjectKey;
  /** Type and subtype in lower case, without parameters. */
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array>;
  readonly size: SizeLimit;
}

export interface SizeLimit {
  /** At most `MAX_OBJECT_BYTES`. */
  readonly maxBytes: number;
  /** The expected length if known: no other length is stored. */
  readonly exactBytes?: number;
}

export interface UploadGrant extends Pick<NewObject, 'key' | 'contentType' | 'size'> {
  readonly expiresAtMs: number;
}

export interface ReadGrant {
  readonly key: ObjectKey;
  readonly expiresAtMs: number;
}

export interface ObjectPage {
  /** See `parseKeyPrefix`. */
  readonly prefix: string;
  /** The last key of the previous page. */
  readonly after?: ObjectKey;
  /** At most `MAX_LISTED_OBJECTS`. */
  readonly limit: number;
}

/**
 * Stores bytes by key: uploaded images, analyses, parts of published catalogues.
 *
 * - Writes are atomic: a body that ends early, is too long or has a wrong length stores nothing and leaves the previous
 *   object.
 * - An object stored by `put` survives a crash, and every process sees it at once. Of two concurrent puts of one key,
 *   one body stays complete.
 * - A signed URL needs no other credential. It is valid for one method and one key until it expires. An upload URL also
 *   fixes the content type and size, which are sent as `Content-Type` and `Content-Length`. A URL that begins with `/`
 *   belongs to this service: resolve it against the origin under which the client knows the service.
 * - Whether an upload URL refuses a second upload, or a body longer than `maxBytes` when the exact length is unknown,
 *   depends on the store. So the consumer of an upload checks its size, and accepts it once.
 * - If the store cannot be reached or does not answer in time, every method throws an `OutageError`, and so does an
 *   interrupted body.
 */
export interface ObjectStore {
  /** Throws the AppErrors of `measured` for a body of the wrong size. */
  put(object: NewObject): Promise<void>;
  find(key: ObjectKey): Promise<StoredObject | undefined>;
  /**
   * Stops reading, even within the body, when `signal` is aborted. For an object over the size limit, which others
   * stored, it returns the real size and at most `MAX_OBJECT_BYTES` of the body.
   */
  read(key: ObjectKey, signal?: AbortSignal): Promise<OpenObject | undefined>;
  /** Does nothing if the object does not exist. */
  delete(key: ObjectKey): Promise<void>;
  /**
   * Lists in the byte order of keys. A page with fewer than `limit` objects is the last one. Objects added or deleted
   * meanwhile may or may not be listed, and names that are no keys, created by others, are skipped.
   */
  list(page: ObjectPage): Promise<readonly ListedObject[]>;
  /** Removes files that a `put` left by crashing over an hour ago, if the store does not do so by itself. */
  removeLeftovers(): Promise<void>;
  uploadAddress(grant: UploadGrant): Promise<string>;
  readAddress(grant: ReadGrant): Promise<string>;
}

/**
 * Yields the body until it exceeds the limit, then throws `payload_too_large`. Throws `invalid_request` if it is too
 * short or empty.
 */
export async function* measured(
  body: AsyncIterable<Uint8Array>,
  size: SizeLimit,
): AsyncGenerator<Uint8Array, void> {
  const { maxBytes, exactBytes } = size;
  const limitBytes = Math.min(maxBytes, exactBytes ?? maxBytes);
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
    yield chunk;
  }
  checkLength(sizeBytes, size);
}

/** Throws for a known length what `measured` would throw at the end. */
export function checkLength(sizeBytes: number, { maxBytes, exactBytes }: SizeLimit): void {
  const limitBytes = Math.min(maxBytes, exactBytes ?? maxBytes);
  if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
  if (sizeBytes === 0) throw new AppError({ code: 'invalid_request', message: 'The body is empty.' });
  if (exactBytes !== undefined && sizeBytes < exactBytes) {
    throw new AppError({
      code: 'invalid_request',
      message: `The body has ${counted(sizeBytes, 'byte')} instead of ${count(exactBytes)}.`,
      details: { expectedBytes: exactBytes },
    });
  }
}

function tooLarge(limitBytes: number): AppError {
  return new AppError({
    code: 'payload_too_large',
    message: `The body is larger than ${counted(limitBytes, 'byte')}.`,
    details: { limitBytes },
  });
}
