import type { ApiKey } from './api-key.ts';

/** A key as it is stored; the hash is kept apart so that an `ApiKey` can be shown as it is. */
export interface StoredKey {
  readonly key: ApiKey;
  /** SHA-256 of the key's text, 32 bytes. */
  readonly secretHash: Uint8Array;
}

export interface KeyPage {
  readonly tenant?: string;
  /** Only keys with a greater id. */
  readonly after?: string;
  readonly limit: number;
}

/** How many keys of a tenant may be live, that is neither revoked nor expired, at `nowSeconds`. */
export interface KeyQuota {
  readonly keys: number;
  readonly nowSeconds: number;
}

/**
 * Keeps API keys. What a method has answered is durable and seen by every later call, from whichever thread,
 * process or node it comes.
 */
export interface KeyStore {
  /** Throws when the id exists. False, with nothing done, where the tenant has no room for one more live key. */
  add(stored: StoredKey, quota?: KeyQuota): Promise<boolean>;
  /** Adds only when there is no key at all. Of several callers at once exactly one is answered true. */
  addFirst(stored: StoredKey): Promise<boolean>;
  find(id: string): Promise<StoredKey | undefined>;
  /** Those of these keys that exist, in any order. */
  findAll(ids: readonly string[]): Promise<readonly StoredKey[]>;
  /** In the order of ids, which is the order of creation. */
  list(page: KeyPage): Promise<readonly ApiKey[]>;
  /** Revokes the key from `revokedAt` on, or from an earlier moment that was set before. Answers the key as it is now. */
  revoke(id: string, revokedAt: number): Promise<ApiKey | undefined>;
  /**
   * Adds the successor and revokes the old key, both or neither. The old key takes no room of the quota, so that a tenant
   * without room can rotate its keys.
   */
  replace(
    id: string,
    revokedAt: number,
    successor: StoredKey,
    quota?: KeyQuota,
  ): Promise<'replaced' | 'missing' | 'full'>;
}
