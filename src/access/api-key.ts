import type { OwnLimits } from '../limits/operations.ts';

/**
 * Who got the secret of a credential, as it is stored: `person:ID`, `key:ID`, or `cli` for the command line. A key that a person made
 * counts as this person for all that is made with it, so that nothing of it is missed when the person leaves.
 */
export type Creator = `person:${string}` | `key:${string}` | 'cli';

/** Scopes that an access token can have. */
export const USER_SCOPES = [
  'foods:read',
  'foods:write',
  'scan',
  'diary:read',
  'diary:write',
  'diary:erase',
] as const;
/** Scopes of a token without stated scopes. Excludes changing foods, which other users may see, and erasing all data of the user. */
export const DEFAULT_USER_SCOPES: readonly Scope[] = USER_SCOPES.filter(
  (scope) => scope !== 'foods:write' && scope !== 'diary:erase',
);
/** Scopes of keys of people for their own apps. A key cannot prove who uses it, so none erases the person. */
export const OWN_KEY_SCOPES = USER_SCOPES.filter((scope) => scope !== 'diary:erase');
/** Scopes of the first key. None contains another. `metrics` covers all tenants, so only an operator gives it. */
export const APP_SCOPES = [...USER_SCOPES, 'webhooks', 'admin', 'metrics'] as const;
/** Scopes of keys and sessions. No key has `operator` unless it was named when the key was created; owners have it. */
export const SCOPES = [...APP_SCOPES, 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

export function isUserScope(text: string): text is Scope {
  return (USER_SCOPES as readonly string[]).includes(text);
}

/** The name of a tenant, the owner of foods, scans and diaries. No key has access beyond its tenant. */
export const TENANT_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const DEFAULT_TENANT = 'default';

/** An API key without its secret. Times are whole Unix seconds. */
export interface ApiKey {
  /** A part of the key's text; ids sort by time of creation. */
  readonly id: string;
  readonly tenant: string;
  /** The display name. */
  readonly name?: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  /** The person whose key it is, and the only user for whom it acts; absent for a key of the tenant. */
  readonly userId?: string;
  /** The caller who created the key and got its text; absent for older keys. */
  readonly createdBy?: Creator;
  /** Unix seconds at which the key expires. */
  readonly expiresAt?: number;
  /** Unix seconds from which the key is revoked; in the future for a rotated key that overlaps its successor. */
  readonly revokedAt?: number;
  /** Exact to an hour; absent for a key that was never used. */
  readonly lastUsedAt?: number;
  readonly limits?: OwnLimits;
}

/**
 * The sender of a request: the holder of an API key, or one user of its tenant with a token made from that key. A key
 * may act for every user of its tenant, unless it is a person's.
 */
export interface Caller {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  /** The caller's key, or the key that the token was made from. */
  readonly key: ApiKey;
  /** The user for whom this caller acts; absent for a key of a tenant. */
  readonly userId?: string;
  /** Whether the caller is a person of the household, by a session or an own key. */
  readonly isMember?: true;
  /** The secret of the person's session; absent for keys and tokens. */
  readonly session?: string;
  /** Other users whose diaries this caller reaches; absent for keys and tokens. */
  readonly rights?: Rights;
  /** For a key that a person of the household made: what the others share with this person. */
  readonly shares?: Shares;
}

/** The access to the diaries of other users, by their ids; `write` includes reading. */
export type Rights = ReadonlyMap<string, 'read' | 'write'>;

/** The access to the diaries of all other people of the household, by their ids. Users who are not in it are those of applications. */
export type Shares = ReadonlyMap<string, 'none' | 'read' | 'write'>;

/** A tenant's id of a user: printable ASCII without spaces. */
export const USER_ID_PATTERN = /^[!-~]{1,128}$/;
