import { AppError } from '../errors.ts';
import type { DiskReserve } from '../files/disk-reserve.ts';
import { storageFull } from '../files/file-errors.ts';
import { checkLength } from './length-check.ts';
import type { ObjectKey } from './object-key.ts';
import type { NewObject, ObjectStore, OpenObject } from './object-store.ts';
import type { Query, UrlSigner } from './signed-url.ts';
import type { UploadRefusal, UploadSlots } from './upload-slots.ts';

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

export interface SignedUrlAccessPorts {
  readonly signer: UrlSigner;
  readonly store: GatedStore;
  readonly slots: UploadSlots;
  /** Of the disk that the store writes to. */
  readonly disk: Pick<DiskReserve, 'hasRoom'>;
  readonly nowMs: () => number;
  /** Asked before an upload is read. */
  readonly isExpected: (key: ObjectKey) => Promise<boolean>;
  /** Awaited for each upload before its sender is answered; false where it is not wanted any more. */
  readonly onStored: (key: ObjectKey, sizeBytes: number | undefined) => Promise<boolean>;
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

  /** Whether an image could be stored now, so that nobody is invited to send one in vain. */
  hasRoom(): Promise<boolean> {
    return this.#ports.disk.hasRoom();
  }

  /** Throws an AppError for what must not be stored; before it reads the body, wherever it can. */
  async receive({ key: text, query, client, contentType, contentLength, body }: Upload): Promise<void> {
    const { signer, store, slots, nowMs, onStored } = this.#ports;
    const { key, size, ...grant } = signer.parseUpload(text, query, nowMs());
    if (contentType !== grant.contentType) throw wrongType(grant.contentType);
    if (contentLength !== undefined) checkLength(contentLength, size);
    const slot = slots.take({ key, client, bytes: contentLength ?? size.exactBytes ?? size.maxBytes });
    if (typeof slot === 'string') throw busy(slot);
    try {
      await this.#store({ key, contentType, size, body }, slot.pledgedBytes);
    } finally {
      slot.release();
    }
    const sizeBytes = contentLength ?? (await store.find(key))?.sizeBytes;
    if (await onStored(key, sizeBytes)) return;
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

  /** Counts what other uploads may still write, so that all together leave the disk's reserve free. */
  async #store(object: NewObject, pledgedBytes: number): Promise<void> {
    const { store, disk, isExpected } = this.#ports;
    if (!(await isExpected(object.key))) throw notExpected();
    if ((await store.find(object.key)) !== undefined) throw usedAlready();
    if (!(await disk.hasRoom(pledgedBytes))) throw storageFull();
    if (!(await store.putAbsent(object))) throw usedAlready();
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
