import type { OwnLimits } from '../limits/operations.ts';
import type { RandomBytes } from '../time-ordered-id.ts';
import type { ApiKey } from './api-key.ts';
import { createKeyText, hashKeyText, parseKeyId } from './key-format.ts';
import type { KeyStore, StoredKey } from './key-store.ts';
import type { Scope } from './scope.ts';

export interface KeyRequest {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  readonly name?: string;
  readonly expiresAt?: number;
  readonly limits?: OwnLimits;
}

/** A key in the one moment in which its text is known. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly text: string;
}

export interface KeyIssuerPorts {
  readonly store: KeyStore;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

/** Creates, rotates and revokes API keys. */
export class KeyIssuer {
  readonly #store: KeyStore;
  readonly #nowMs: () => number;
  readonly #randomBytes: RandomBytes;

  constructor({ store, nowMs, randomBytes }: KeyIssuerPorts) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#randomBytes = randomBytes;
  }

  async create(request: KeyRequest): Promise<IssuedKey> {
    const issued = this.#issue(request);
    await this.#store.add(toStored(issued));
    return issued;
  }

  /**
   * A new key with everything the old one had, its lifetime counted anew but not beyond `latestExpiry`; the old one stays
   * valid for `overlapSeconds` more. Undefined when there is no such key or it is revoked already.
   */
  async rotate(
    id: string,
    overlapSeconds: number,
    latestExpiry = Number.POSITIVE_INFINITY,
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
    const replaced = await this.#store.replace(id, nowSeconds + overlapSeconds, toStored(issued));
    return replaced ? issued : undefined;
  }

  /** Refuses the key from now on. Undefined when there is none. */
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

  #nowSeconds(): number {
    return Math.floor(this.#nowMs() / 1000);
  }
}

export function toStored({ key, text }: IssuedKey): StoredKey {
  return { key, secretHash: hashKeyText(text) };
}
