import { AppError } from '@larder/core/errors.ts';
import type { DiskReserve } from '../files/disk-reserve.ts';
import { storageFull } from '../files/file-errors.ts';
import {
  checkLength,
  type NewObject,
  type ObjectKey,
  type ObjectStore,
  type OpenObject,
} from './object-store.ts';
import type { Query, UrlSigner } from './signed-url.ts';

export interface SignedRequest {
  readonly key: string;
  readonly query: Query;
}

export interface Upload extends SignedRequest {
  /** What the client's address is counted as. */
  readonly client: string;
  /** As the client announced it. */
  readonly contentType: string | undefined;
  /** Absent where the client did not say. */
  readonly contentLength: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface GatedStore extends Pick<ObjectStore, 'delete' | 'find' | 'read'> {
  /**
   * Like `put`, but stores nothing and answers false where the key exists. Of several at once, one stores. Throws
   * `storage_full` where the disk's reserve would be used.
   */
  putAbsent(object: NewObject): Promise<boolean>;
}

export interface UploadClaim {
  readonly key: ObjectKey;
  /** What the client's address is counted as. */
  readonly client: string;
  /** How much the upload may write. */
  readonly bytes: number;
}

/** `same_key`: another upload under this key is under way. `too_many`: no slot is left, or none for this client. */
export type UploadRefusal = 'same_key' | 'too_many';

/** The right to carry out one upload. To be released whatever became of it. */
export interface UploadSlot {
  /** What all uploads under way when it was taken may write together, this one included. */
  readonly pledgedBytes: number;
  release(): void;
}

/**
 * The uploads that a node takes at one time: one for each key, and a limited number in all, of which one client gets at
 * most half of what others leave. Slots of a thread or process that dies become free.
 */
export interface UploadSlots {
  /** Answers at once. */
  take(claim: UploadClaim): UploadSlot | UploadRefusal;
}

export interface SignedUrlAccessPorts {
  readonly signer: UrlSigner;
  readonly store: GatedStore;
  readonly slots: UploadSlots;
  /** Of the disk that the store writes to. */
  readonly disk: Pick<DiskReserve, 'hasRoom'>;
  readonly nowMs: () => number;
  readonly uploads: {
    /** Asked before an upload is read. */
    expects(key: ObjectKey): Promise<boolean>;
    /** Awaited for each upload before its sender is answered; false where it is not wanted any more. */
    stored(key: ObjectKey, sizeBytes: number | undefined): Promise<boolean>;
  };
  /** Hears of an upload that could not be told of. Nothing is lost: its bytes are stored, and a sweep finds them. */
  readonly onUntold: (error: unknown, key: ObjectKey) => void;
}

/**
 * Gives clients access to this service's own object store, by signed address alone. An upload address is good for one
 * upload: a second one finds the object in place, or the first one under way. It ends with what it was given out for, so
 * that nothing is stored which nobody counts or deletes.
 */
export class SignedUrlAccess {
  readonly #ports: SignedUrlAccessPorts;

  constructor(ports: SignedUrlAccessPorts) {
    this.#ports = ports;
  }

  /** Throws an AppError for what must not be stored; before it reads the body, wherever it can. */
  async receive({ key: text, query, client, contentType, contentLength, body }: Upload): Promise<void> {
    const { signer, store, slots, disk, nowMs, uploads, onUntold } = this.#ports;
    const { key, size, ...grant } = signer.parseUpload(text, query, nowMs());
    if (contentType !== grant.contentType) throw wrongType(grant.contentType);
    if (contentLength !== undefined) checkLength(contentLength, size);
    const slot = slots.take({ key, client, bytes: contentLength ?? size.exactBytes ?? size.maxBytes });
    if (typeof slot === 'string') throw busy(slot);
    try {
      if (!(await uploads.expects(key))) throw notExpected();
      if ((await store.find(key)) !== undefined) throw usedAlready();
      // Counts what other uploads may still write, so that all together leave the disk's reserve free.
      if (!(await disk.hasRoom(slot.pledgedBytes))) throw storageFull();
      if (!(await store.putAbsent({ key, contentType, size, body }))) throw usedAlready();
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
    const { signer, store, nowMs } = this.#ports;
    const { key } = signer.parseRead(text, query, nowMs());
    const object = await store.read(key);
    if (object !== undefined) return object;
    throw new AppError({ code: 'not_found', message: 'There is nothing at this address any more.' });
  }
}

function wrongType(expected: string): AppError {
  return new AppError({
    code: 'unsupported_media_type',
    message: `This address takes ${expected} only; send it as Content-Type.`,
    details: { expected },
  });
}

const BUSY: Readonly<Record<UploadRefusal, string>> = {
  same_key: 'Another upload to this address is under way; try again when it has ended.',
  too_many: 'Too many uploads are under way; try again in a moment.',
};

function busy(refusal: UploadRefusal): AppError {
  return new AppError({ code: 'unavailable', message: BUSY[refusal], details: { reason: 'busy' } });
}

function notExpected(): AppError {
  return new AppError({
    code: 'forbidden',
    message: 'The scan of this address has its image, or is gone; create another one.',
  });
}

function usedAlready(): AppError {
  return new AppError({ code: 'forbidden', message: 'The address was used already; ask for a new one.' });
}
