import type { ApiKey } from './api-key.ts';

/** What is kept of a key; the hash stays apart so that a key can be shown without thinking of it. */
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

/**
 * Keeps API keys. What a method has answered is durable and seen by every later call, from whichever thread,
 * process or node it comes.
 */
export interface KeyStore {
  /** Throws when the id exists. */
  add(stored: StoredKey): Promise<void>;
  /** Adds only when there is no key at all. Of several callers at once exactly one is answered true. */
  addFirst(stored: StoredKey): Promise<boolean>;
  find(id: string): Promise<StoredKey | undefined>;
  /** In the order of ids, which is the order of creation. */
  list(page: KeyPage): Promise<readonly ApiKey[]>;
  /** Refuses the key from `revokedAt` on; an earlier moment that was set before stays. The key as it is now. */
  revoke(id: string, revokedAt: number): Promise<ApiKey | undefined>;
  /** Adds the successor and revokes the old key, both or neither. False, and nothing is done, without the old key. */
  replace(id: string, revokedAt: number, successor: StoredKey): Promise<boolean>;
}
