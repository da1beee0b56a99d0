import { AppError } from '@larder/core/errors.ts';
import type { RandomBytes } from '../base/time-ordered-id.ts';
import type { OwnLimits } from '../limits/operations.ts';
import type { ApiKey, Creator, Scope } from './api-key.ts';
import { createKeyText, hashKeyText, parseKeyId } from './key-format.ts';
import type { KeyQuota, KeyStore, StoredKey } from './key-store.ts';

export interface KeyRequest {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  /** The person whose key it is to be. */
  readonly userId?: string;
  /** Who gets the text of the key; the command line by default. */
  readonly createdBy?: Creator;
  readonly name?: string;
  readonly expiresAt?: number;
  readonly limits?: OwnLimits;
}

export interface Rotation {
  /** Who gets the text of the successor; the command line by default. */
  readonly createdBy?: Creator;
  readonly latestExpiry?: number | undefined;
  readonly maxKeys?: number;
}

/** A new key with its text, which is not stored. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly text: string;
}

export interface KeyIssuerOptions {
  readonly store: KeyStore;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

/** Maximum listed keys of a tenant that ended; without a limit an `admin` key could fill the disk with them. */
const MAX_ENDED_KEYS = 1_000;
/** Maximum listed keys of a person that ended. */
export const MAX_ENDED_OWN_KEYS = 20;

/**
 * Creates, rotates and revokes API keys. `maxKeys` limits the live keys of the tenant, or of the person whose key it is; there is no
 * limit if it is absent.
 */
export class KeyIssuer {
  readonly #store: KeyStore;
  readonly #nowMs: () => number;
  readonly #randomBytes: RandomBytes;

  constructor({ store, nowMs, randomBytes }: KeyIssuerOptions) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#randomBytes = randomBytes;
  }

  /** Throws `quota_exceeded`, also where the person is gone. */
  async create(request: KeyRequest, maxKeys?: number): Promise<IssuedKey> {
    const issued = this.#issue(request);
    const quota = this.#quota(maxKeys, request.userId === undefined ? MAX_ENDED_KEYS : MAX_ENDED_OWN_KEYS);
    if (!(await this.#store.add(toStored(issued), quota))) throw quotaExceeded(maxKeys!, request.userId);
    return issued;
  }

  /**
   * Creates a successor with the same rights and a new lifetime up to `latestExpiry`; the old key stays valid for
   * `overlapSeconds`. Undefined if there is no such key or it is revoked. Throws `quota_exceeded`, and `forbidden` for a key of a
   * person, who alone may know its text.
   */
  async rotate(
    id: string,
    overlapSeconds: number,
    { createdBy = 'cli', latestExpiry = Number.POSITIVE_INFINITY, maxKeys }: Rotation = {},
  ): Promise<IssuedKey | undefined> {
    const old = await this.#store.find(id);
    const nowSeconds = this.#nowSeconds();
    if (old === undefined || (old.key.revokedAt !== undefined && old.key.revokedAt <= nowSeconds))
      return undefined;
    if (old.key.userId !== undefined) {
      throw new AppError({
        code: 'forbidden',
        message: 'This key is of a person, who creates another one in the settings of the page.',
      });
    }
    const { createdAt, expiresAt } = old.key;
    const issued = this.#issue({
      ...old.key,
      createdBy,
      ...(expiresAt !== undefined && {
        expiresAt: Math.min(nowSeconds + (expiresAt - createdAt), latestExpiry),
      }),
    });
    const revokedAt = nowSeconds + overlapSeconds;
    const outcome = await this.#store.replace(id, revokedAt, toStored(issued), this.#quota(maxKeys));
    if (outcome === 'full') throw quotaExceeded(maxKeys!);
    return outcome === 'replaced' ? issued : undefined;
  }

  /** Revokes the key now. Returns undefined if there is none. */
  revoke(id: string): Promise<ApiKey | undefined> {
    return this.#store.revoke(id, this.#nowSeconds());
  }

  #issue({ tenant, scopes, userId, createdBy = 'cli', name, expiresAt, limits }: KeyRequest): IssuedKey {
    const createdAt = this.#nowSeconds();
    const text = createKeyText(createdAt, this.#randomBytes);
    const key: ApiKey = {
      id: parseKeyId(text)!,
      tenant,
      scopes,
      createdAt,
      createdBy,
      ...(userId !== undefined && { userId }),
      ...(name !== undefined && { name }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(limits !== undefined && { limits }),
    };
    return { key, text };
  }

  #quota(keys: number | undefined, endedKeys = MAX_ENDED_KEYS): KeyQuota | undefined {
    return keys === undefined ? undefined : { keys, endedKeys, nowSeconds: this.#nowSeconds() };
  }

  #nowSeconds(): number {
    return Math.floor(this.#nowMs() / 1000);
  }
}

function quotaExceeded(limit: number, userId?: string): AppError {
  return new AppError({
    code: 'quota_exceeded',
    message:
      userId === undefined
        ? `This tenant has ${limit} live API keys, as many as it may have; revoke some, or ask the operator for more.`
        : `You have ${limit} live keys, as many as a person may have; revoke some.`,
    // Keys are counted up to the limit only.
    details: { quota: userId === undefined ? 'keys' : 'own_keys', limit, used: limit },
  });
}

export function toStored({ key, text }: IssuedKey): StoredKey {
  return { key, secretHash: hashKeyText(text) };
}
