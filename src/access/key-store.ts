import type { LimitsChange } from '../limits/operations.ts';
import type { ApiKey } from './api-key.ts';

/** A stored key; the hash is separate so that an `ApiKey` can be shown unchanged. */
export interface StoredKey {
  readonly key: ApiKey;
  /** SHA-256 of the key's text, 32 bytes. */
  readonly secretHash: Uint8Array;
}

export interface KeyPage {
  readonly tenant?: string;
  /** Selects keys with a greater id. */
  readonly after?: string;
  readonly limit: number;
}

/** Maximum keys of a tenant at `nowSeconds`. */
export interface KeyQuota {
  /** Live keys: neither revoked nor expired. */
  readonly keys: number;
  /** Maximum listed keys that ended. When a key is added, those that ended first are removed beyond this number. */
  readonly endedKeys: number;
  readonly nowSeconds: number;
}

/** Stores API keys. Confirmed changes are durable and visible to every later call of any thread, process or node. */
export interface KeyStore {
  /** Throws if the id exists. Returns false, without a change, if the tenant's quota of live keys is used up. */
  add(stored: StoredKey, quota?: KeyQuota): Promise<boolean>;
  /** Adds only if there is no key at all. Of concurrent callers exactly one gets true. */
  addFirst(stored: StoredKey): Promise<boolean>;
  find(id: string): Promise<StoredKey | undefined>;
  /** Returns the existing keys of this list, in any order. */
  findAll(ids: readonly string[]): Promise<readonly StoredKey[]>;
  /** Ordered by id, which is the order of creation. */
  list(page: KeyPage): Promise<readonly ApiKey[]>;
  /** Revokes the key from `revokedAt` on, or from an earlier time set before. Returns the key as it is now. */
  revoke(id: string, revokedAt: number): Promise<ApiKey | undefined>;
  /** Merges concurrent changes. Returns the key as it is now; undefined if there is none. */
  changeLimits(id: string, change: LimitsChange): Promise<ApiKey | undefined>;
  /**
   * Adds the successor and revokes the old key, both or neither. The old key does not count for the quota, so that a
   * tenant at its quota can rotate keys.
   */
  replace(
    id: string,
    revokedAt: number,
    successor: StoredKey,
    quota?: KeyQuota,
  ): Promise<'replaced' | 'missing' | 'full'>;
}
