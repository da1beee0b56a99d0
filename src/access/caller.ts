import type { ApiKey } from './api-key.ts';
import type { Scope } from './scope.ts';

/**
 * The sender of a request: the holder of an API key, or one user of its tenant with a token made from that key. A key
 * may act for every user of its tenant.
 */
export interface Caller {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  /** The key, or the one that the token was made from. */
  readonly key: ApiKey;
  /** The only user whose data this caller reaches; absent for a key. */
  readonly userId?: string;
}

/** A tenant's id of a user: printable ASCII without spaces. */
export const USER_ID_PATTERN = /^[!-~]{1,128}$/;
