import type { JWK } from 'jose';

/** A key that access tokens are signed with. Times are whole Unix seconds. */
export interface SigningKey {
  readonly kid: string;
  readonly createdAt: number;
  readonly privateJwk: JWK;
}

/**
 * Keeps signing keys. What a method has answered is durable and seen by every later call, from whichever thread,
 * process or node it comes.
 */
export interface SigningKeyStore {
  /** Newest first. */
  list(): Promise<readonly SigningKey[]>;
  /** Adds unless there is a key created after `newest`; of several callers at once one succeeds. */
  addUnlessNewer(key: SigningKey, newest: number): Promise<boolean>;
  /** Forgets keys created before `oldest`. */
  removeOlder(oldest: number): Promise<void>;
}
