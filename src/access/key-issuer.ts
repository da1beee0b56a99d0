import { AppError } from '@larder/core/errors.ts';
import type { RandomBytes } from '../base/time-ordered-id.ts';
import type { OwnLimits } from '../limits/operations.ts';
import type { ApiKey, Scope } from './api-key.ts';
import { createKeyText, hashKeyText, parseKeyId } from './key-format.ts';
import type { KeyQuota, KeyStore, StoredKey } from './key-store.ts';

export interface KeyRequest {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  readonly name?: string;
  readonly expiresAt?: number;
  readonly limits?: OwnLimits;
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

/**
 * Creates, rotates and revokes API keys. `maxKeys` limits the tenant's live keys; there is no limit if it is absent.
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

  /** Throws `quota_exceeded`. */
  async create(request: KeyRequest, maxKeys?: number): Promise<IssuedKey> {
    const issued = this.#issue(request);
    if (!(await this.#store.add(toStored(issued), this.#quota(maxKeys)))) throw quotaExceeded(maxKeys!);
    return issued;
  }

  /**
   * Creates a successor with the same rights and a new lifetime up to `latestExpiry`; the old key stays valid for
   * `overlapSeconds`. Undefined if there is no such key or it is revoked. Throws `quota_exceeded`.
   */
  async rotate(
    id: string,
    overlapSeconds: number,
    latestExpiry = Number.POSITIVE_INFINITY,
    maxKeys?: number,
  ): Promise<IssuedKey | undefined> {
    const old = await this.#store.find(id);
    const nowSeconds = this.#nowSeconds();
    if (old === undefined || (old.key.revokedAt !== undefined && old.key.revokedAt <= nowSeconds))
      return undefined;
    const { createdAt, expiresAt } = old.key;
    const issued = this.#issue({
      ...old.key,
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

  #issue({ tenant, scopes, name, expiresAt, limits }: KeyRequest): IssuedKey {
    const createdAt = this.#nowSeconds();
    const text = createKeyText(createdAt, this.#randomBytes);
    const key: ApiKey = {
      id: parseKeyId(text)!,
      tenant,
      scopes,
      createdAt,
      ...(name !== undefined && { name }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(limits !== undefined && { limits }),
    };
    return { key, text };
  }

  #quota(keys: number | undefined): KeyQuota | undefined {
    return keys === undefined
      ? undefined
      : { keys, endedKeys: MAX_ENDED_KEYS, nowSeconds: this.#nowSeconds() };
  }

  #nowSeconds(): number {
    return Math.floor(this.#nowMs() / 1000);
  }
}

function quotaExceeded(limit: number): AppError {
  return new AppError({
    code: 'quota_exceeded',
    message: `This tenant has ${limit} live API keys, as many as it may have; revoke some, or ask the operator for more.`,
    // Keys are counted up to the limit only.
    details: { quota: 'keys', limit, used: limit },
  });
}

export function toStored({ key, text }: IssuedKey): StoredKey {
  return { key, secretHash: hashKeyText(text) };
}
