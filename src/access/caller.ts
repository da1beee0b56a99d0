import type { ApiKey } from './api-key.ts';
import type { Scope } from './scope.ts';

/**
 * Who sends a request: the holder of an API key, or one user of its tenant with a token minted from that key. A key may
 * act for every user of its tenant.
 */
export interface Caller {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  /** The key itself, or the one that the token was minted from. */
  readonly key: ApiKey;
  /** The only user whose things this caller reaches; absent for a key. */
  readonly userId?: string;
}

/** What a tenant calls one of its users: printable ASCII without spaces. */
export const USER_ID_PATTERN = /^[!-~]{1,128}$/;

export function keyCaller(key: ApiKey): Caller {
  return { tenant: key.tenant, scopes: key.scopes, key };
}
