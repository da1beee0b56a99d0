import { AppError } from '../errors.ts';
import { checkLength } from '../objects/measured.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { NewObject, ObjectStore, OpenObject } from '../objects/object-store.ts';
import type { AddressSigner, Query } from './address-signer.ts';

export interface GateRequest {
  readonly key: string;
  readonly query: Query;
}

export interface Upload extends GateRequest {
  /** As the client announced it. */
  readonly contentType: string | undefined;
  /** Absent where the client did not say. */
  readonly contentLength: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface GatedStore extends Pick<ObjectStore, 'find' | 'read'> {
  /** Like `put`, but stores nothing and answers false where the key exists. Of several at once, one stores. */
  putAbsent(object: NewObject): Promise<boolean>;
}

export interface ObjectGatePorts {
  readonly signer: AddressSigner;
  readonly store: GatedStore;
  readonly nowMs: () => number;
  /** Awaited for each upload before its sender is answered. */
  readonly onStored: (key: ObjectKey) => Promise<void>;
}

/**
 * Gives clients access to this service's own object store, by signed address alone. An upload address is good for one
 * upload: a second one finds the object in place.
 */
export class ObjectGate {
  readonly #signer: AddressSigner;
  readonly #store: GatedStore;
  readonly #nowMs: () => number;
  readonly #onStored: (key: ObjectKey) => Promise<void>;

  constructor({ signer, store, nowMs, onStored }: ObjectGatePorts) {
    this.#signer = signer;
    this.#store = store;
    this.#nowMs = nowMs;
    this.#onStored = onStored;
  }

  /** Throws an AppError for what must not be stored; before it reads the body, wherever it can. */
  async receive({ key: text, query, contentType, contentLength, body }: Upload): Promise<void> {
    const { key, size, ...grant } = this.#signer.parseUpload(text, query, this.#nowMs());
    if (contentType !== grant.contentType) throw wrongType(grant.contentType);
    if (contentLength !== undefined) checkLength(contentLength, size);
    if ((await this.#store.find(key)) !== undefined) throw usedAlready();
    const stored = await this.#store.putAbsent({ key, contentType, size, body });
    if (!stored) throw usedAlready();
    await this.#onStored(key);
  }

  async read({ key: text, query }: GateRequest): Promise<OpenObject> {
    const { key } = this.#signer.parseRead(text, query, this.#nowMs());
    const object = await this.#store.read(key);
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

function usedAlready(): AppError {
  return new AppError({ code: 'forbidden', message: 'The address was used already; ask for a new one.' });
}
