import { AppError, type ErrorCode } from '@larder/core/errors.ts';
import type { DiskReserve } from '../files/disk-reserve.ts';
import { storageFull } from '../files/file-errors.ts';
import { mediaType } from './media-type.ts';
import {
  checkLength,
  type NewObject,
  type ObjectKey,
  type ObjectStore,
  type OpenObject,
} from './object-store.ts';
import type { UrlQuery, UrlSigner } from './signed-url.ts';

export interface SignedRequest {
  readonly key: string;
  readonly query: UrlQuery;
}

export interface Upload extends SignedRequest {
  /** The client's network, as counted by limits. */
  readonly client: string;
  /** The announced content type. */
  readonly contentType: string | undefined;
  /** Absent if the client announced none. */
  readonly contentLength: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface UploadStore extends Pick<ObjectStore, 'delete' | 'find' | 'read'> {
  /**
   * Stores like `put`, but returns false without storing if the key exists. Of concurrent calls one stores. Throws
   * `storage_full` if the object would use the disk's reserve.
   */
  putAbsent(object: NewObject): Promise<boolean>;
}

export interface UploadClaim {
  readonly key: ObjectKey;
  /** The client's network, as counted by limits. */
  readonly client: string;
  /** Maximum bytes that the upload may write. */
  readonly bytes: number;
}

/** `same_key`: another upload under this key is running. `too_many`: no slot is left, or none for this client. */
export type UploadRefusal = 'same_key' | 'too_many';

/** The right to execute one upload. Release it in any case. */
export interface UploadSlot {
  /** Total bytes that all uploads running at that time may write, this one included. */
  readonly pledgedBytes: number;
  release(): void;
}

/**
 * Limits the concurrent uploads of a node: one for each key, and a limited number in total, of which one client gets at
 * most half of what others leave. Slots of a thread or process that dies become free.
 */
export interface UploadSlots {
  /** Returns without waiting. */
  take(claim: UploadClaim): UploadSlot | UploadRefusal;
}

/** Whether the object is still expected, has already arrived, or is not wanted any more. */
export type UploadExpectation = 'waited' | 'arrived' | 'gone';

export interface SignedUrlAccessOptions {
  readonly signer: UrlSigner;
  readonly store: UploadStore;
  readonly slots: UploadSlots;
  /** The disk that the store writes to. */
  readonly disk: Pick<DiskReserve, 'hasRoom'>;
  readonly nowMs: () => number;
  readonly uploads: {
    /** Called before an upload is read. */
    wishFor(key: ObjectKey): Promise<UploadExpectation>;
    /** Awaited for each upload before its sender gets a response; false if the upload is not wanted any more. */
    stored(key: ObjectKey, sizeBytes: number | undefined): Promise<boolean>;
    /** Awaited for each invalid, rejected upload: nobody else may know of it. */
    refused(key: ObjectKey, refusal: AppError): Promise<void>;
  };
  /** Called when reporting an upload failed. No data is lost: the bytes are stored, and a sweep finds them. */
  readonly onUntold: (error: unknown, key: ObjectKey) => void;
}

/**
 * Gives clients access to this service's own object store, by signed URL only. An upload URL is valid for one upload: a
 * second one finds the stored object, or the first upload running. It expires with its scan, so that every stored
 * object is counted and deleted some time.
 */
export class SignedUrlAccess {
  readonly #options: SignedUrlAccessOptions;

  constructor(options: SignedUrlAccessOptions) {
    this.#options = options;
  }

  /** Throws an AppError for a rejected upload, before reading the body if possible. */
  async receive(upload: Upload): Promise<void> {
    const { signer, nowMs, uploads, onUntold } = this.#options;
    const granted = signer.parseUpload(upload.key, upload.query, nowMs());
    try {
      await this.#take(upload, granted);
    } catch (error) {
      // A client that announced the length, which is then signed, may still send the right bytes.
      const isLasting = granted.size.exactBytes === undefined;
      if (isLasting && error instanceof AppError && WRONG.includes(error.code))
        await uploads.refused(granted.key, error).catch((cause) => onUntold(cause, granted.key));
      throw error;
    }
  }

  async #take(
    { client, contentType, contentLength, body }: Upload,
    { key, size, ...grant }: ReturnType<UrlSigner['parseUpload']>,
  ): Promise<void> {
    const { store, slots, disk, uploads, onUntold } = this.#options;
    if (contentType === undefined || mediaType(contentType) !== grant.contentType)
      throw wrongType(grant.contentType);
    if (contentLength !== undefined) checkLength(contentLength, size);
    const slot = slots.take({ key, client, bytes: contentLength ?? size.exactBytes ?? size.maxBytes });
    if (typeof slot === 'string') throw busy(slot);
    try {
      const wish = await uploads.wishFor(key);
      if (wish === 'arrived') throw usedAlready();
      if (wish === 'gone') throw notExpected();
      if ((await store.find(key)) !== undefined) throw usedAlready();
      // The room includes what other uploads may still write, so that all together leave the disk's reserve free.
      if (!(await disk.hasRoom(slot.pledgedBytes))) throw storageFull();
      if (!(await store.putAbsent({ key, contentType: grant.contentType, size, body }))) throw usedAlready();
    } finally {
      slot.release();
    }
    const sizeBytes = contentLength ?? (await store.find(key))?.sizeBytes;
    try {
      if (await uploads.stored(key, sizeBytes)) return;
    } catch (error) {
      return onUntold(error, key);
    }
    await store.delete(key);
    throw notExpected();
  }

  async read({ key: text, query }: SignedRequest): Promise<OpenObject> {
    const { signer, store, nowMs } = this.#options;
    const { key } = signer.parseRead(text, query, nowMs());
    const object = await store.read(key);
    if (object !== undefined) return object;
    throw new AppError({ code: 'not_found', message: 'There is nothing at this address any more.' });
  }
}

/** Error codes that the same upload would get again. */
const WRONG: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type', 'invalid_request'];

function wrongType(expected: string): AppError {
  return new AppError({
    code: 'unsupported_media_type',
    message: `This address takes ${expected} only; send it as Content-Type.`,
    details: { expected },
  });
}

const BUSY: Readonly<Record<UploadRefusal, string>> = {
  same_key: 'Another upload to this address is in progress; try again when it has ended.',
  too_many: 'Too many uploads are in progress; try again in a moment.',
};

function busy(refusal: UploadRefusal): AppError {
  return new AppError({ code: 'unavailable', message: BUSY[refusal], details: { reason: 'busy' } });
}

function notExpected(): AppError {
  return new AppError({
    code: 'forbidden',
    message: 'The scan of this address is gone; create another one.',
  });
}

function usedAlready(): AppError {
  return new AppError({
    code: 'forbidden',
    message: 'The upload to this address has succeeded already; nothing is left to be sent.',
    details: { reason: 'already_uploaded' },
  });
}
