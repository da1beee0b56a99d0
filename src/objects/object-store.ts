import type { Readable } from 'node:stream';
import { AppError } from '@larder/core/errors.ts';
import { count, counted } from '../texts.ts';

declare const brand: unique symbol;

/**
 * Where an object is: a folder and a name, such as `images/01900000-0000-7000-8000-000000000000`. Small letters alone,
 * so that no two keys are one file on any file system, and nothing that an address would have to escape.
 */
export type ObjectKey = string & { readonly [brand]: 'ObjectKey' };

const FOLDER = '[a-z][a-z0-9-]{0,31}';
const KEY = new RegExp(`^${FOLDER}/[a-z0-9][a-z0-9._-]{0,127}$`);
const PREFIX = new RegExp(`^${FOLDER}/(?:[a-z0-9][a-z0-9._-]{0,127})?$`);

export function isObjectKey(text: string): text is ObjectKey {
  return KEY.test(text);
}

/** Throws a plain error: keys are made by the program, never by clients. */
export function parseObjectKey(text: string): ObjectKey {
  if (!KEY.test(text)) throw new Error(`${JSON.stringify(text)} is no object key`);
  return text as ObjectKey;
}

/** A whole folder (`images/`), or the names in it that begin alike (`images/0190`). */
export function parseKeyPrefix(text: string): { readonly folder: string; readonly namePrefix: string } {
  if (!PREFIX.test(text)) throw new Error(`${JSON.stringify(text)} is no prefix of object keys`);
  const [folder, namePrefix] = text.split('/') as [string, string];
  return { folder, namePrefix };
}

/** The largest object: an image of a client, or what the service itself makes. */
export const MAX_OBJECT_BYTES = 10 * 1024 * 1024;
/** Objects on one page of a list. */
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

/** An object that is being read. The receiver has to read the body to its end or destroy it. */
export interface OpenObject extends StoredObject {
  readonly body: Readable;
}

export interface NewObject {
  readonly key: ObjectKey;
  /** Type and subtype in small letters, without parameters. */
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array>;
  readonly size: SizeLimit;
}

export interface SizeLimit {
  /** At most `MAX_OBJECT_BYTES`. */
  readonly maxBytes: number;
  /** Where the length is known beforehand: neither more nor less is stored. */
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
  /** The last key of the page before. */
  readonly after?: ObjectKey;
  /** At most `MAX_LISTED_OBJECTS`. */
  readonly limit: number;
}

/**
 * Bytes by key: images on their way in, analyses on their way out, parts of published catalogues.
 *
 * - An object is there as a whole or not at all: a body that breaks off, is too long or of a wrong length stores
 *   nothing and leaves what was there before.
 * - What `put` has stored outlives a crash, and every process sees it at once; of two puts of one key at the same time,
 *   one body stays, whole.
 * - A signed address needs no other credential. It is good for one method and one key until it expires. An upload
 *   address also fixes the content type and size, which are sent as `Content-Type` and `Content-Length`. An address that
 *   begins with `/` is on this service: resolve it against the origin under which the client knows the service.
 * - Whether an upload address refuses a second upload, or a longer body than `maxBytes` where the exact length is not
 *   known, depends on the store. So whoever waits for an upload checks its size, and takes it once.
 * - Where the store cannot be reached or does not answer in time, every method throws an `OutageError`, and so does
 *   a body that breaks off.
 */
export interface ObjectStore {
  /** Throws the AppErrors of `measured` for a body of the wrong size. */
  put(object: NewObject): Promise<void>;
  find(key: ObjectKey): Promise<StoredObject | undefined>;
  /**
   * Breaks off, even in the middle of the body, when `signal` is aborted. An object that is too long, which others have put
   * there, is told by its size; of its body at most `MAX_OBJECT_BYTES` are read.
   */
  read(key: ObjectKey, signal?: AbortSignal): Promise<OpenObject | undefined>;
  /** Nothing happens where there is none. */
  delete(key: ObjectKey): Promise<void>;
  /**
   * In the byte order of keys. A page with fewer than `limit` objects is the last one. Objects that come or go meanwhile
   * may or may not be listed, and names that are no keys, put there by others, are passed over.
   */
  list(page: ObjectPage): Promise<readonly ListedObject[]>;
  /** Removes what a `put` that crashed over an hour ago left, where the store does not do so by itself. */
  removeLeftovers(): Promise<void>;
  uploadAddress(grant: UploadGrant): Promise<string>;
  readAddress(grant: ReadGrant): Promise<string>;
}

/** The body as it comes, until it is too long: `payload_too_large`. Too short or empty: `invalid_request`. */
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

/** For a length that is known: what `measured` would find in the end. */
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
