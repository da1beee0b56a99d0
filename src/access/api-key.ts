import type { OwnLimits } from '../limits/operations.ts';
import type { Scope } from './scope.ts';

/** The name of a tenant: the owner of foods, scans and diaries, beyond which no key reaches. */
export const TENANT_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const DEFAULT_TENANT = 'default';

/** An API key without its secret. Times are whole Unix seconds. */
export interface ApiKey {
  /** Part of the key's text; ids sort by time of creation. */
  readonly id: string;
  readonly tenant: string;
  /** What people call it. */
  readonly name?: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  /** Expires at this time. */
  readonly expiresAt?: number;
  /** Revoked from this time on; in the future for a rotated key that overlaps its successor. */
  readonly revokedAt?: number;
  readonly limits?: OwnLimits;
}
