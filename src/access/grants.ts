import { AppError } from '@larder/core/errors.ts';
import {
  DEFAULT_LIMITS,
  LIMITED_OPERATIONS,
  type LimitedOperation,
  type LimitsChange,
  type OwnLimits,
} from '../limits/operations.ts';
import type { ApiKey, Caller, Scope } from './api-key.ts';

/** Scopes that reach all tenants. */
const OPERATORS: readonly Scope[] = ['metrics', 'operator'];

/** The rights of a key. */
export type Rights = Pick<ApiKey, 'scopes' | 'limits' | 'expiresAt'>;

/**
 * The rights of a key that `holder` creates: the requested ones, with the holder's limits and expiry as maximum and
 * default. Throws `forbidden` if more is requested than the holder has, and for `metrics` and `operator`, which only an
 * operator gives.
 */
export function grantFrom(holder: Rights, asked: Rights): Rights {
  const withheld = asked.scopes.filter((scope) => OPERATORS.includes(scope));
  if (withheld.length > 0) throw refusal({ scopes: withheld });
  const expiresAt = asked.expiresAt ?? holder.expiresAt;
  const limits = { ...lowered(holder.limits), ...asked.limits };
  const granted = {
    scopes: asked.scopes,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
  requireHeld(holder, granted);
  return granted;
}

/** Throws `forbidden` if `rights` exceed those of `holder`: a scope, a higher limit, a later expiry. */
export function requireHeld(holder: Rights, rights: Rights): void {
  const scopes = rights.scopes.filter((scope) => !holder.scopes.includes(scope));
  if (scopes.length > 0) throw refusal({ scopes });
  const limits = LIMITED_OPERATIONS.filter(
    (operation) => limitOf(rights, operation) > limitOf(holder, operation),
  );
  if (limits.length > 0) throw refusal({ limits });
  if ((rights.expiresAt ?? Infinity) > (holder.expiresAt ?? Infinity)) {
    throw refusal({ expiresAt: new Date(holder.expiresAt! * 1000).toISOString() });
  }
}

/** Throws `forbidden` if a change gives a key a higher limit than `holder` has. */
export function requireHeldLimits(holder: Rights, change: LimitsChange): void {
  const limits = LIMITED_OPERATIONS.filter((operation) => {
    const limit = change[operation];
    return limit !== undefined && (limit ?? DEFAULT_LIMITS[operation]) > limitOf(holder, operation);
  });
  if (limits.length > 0) throw refusal({ limits });
}

/** Whether the caller reaches the keys and webhooks of all tenants. */
export function isOperator({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes.includes('operator');
}

/** Throws `forbidden`. */
export function requireOperator(caller: Pick<Caller, 'scopes'>): void {
  if (isOperator(caller)) return;
  throw new AppError({
    code: 'forbidden',
    message:
      'Only operators reach other tenants: this needs the scope operator, which the credential does not have.',
    details: { scope: 'operator' },
  });
}

function limitOf({ limits }: Rights, operation: LimitedOperation): number {
  return limits?.[operation] ?? DEFAULT_LIMITS[operation];
}

/** The limits below the defaults, which a key without limits would exceed. */
function lowered(limits: OwnLimits = {}): OwnLimits {
  return Object.fromEntries(
    LIMITED_OPERATIONS.flatMap((operation) => {
      const own = limits[operation];
      return own !== undefined && own < DEFAULT_LIMITS[operation] ? [[operation, own]] : [];
    }),
  );
}

function refusal(
  details: { scopes: readonly Scope[] } | { limits: readonly LimitedOperation[] } | { expiresAt: string },
): AppError {
  return new AppError({
    code: 'forbidden',
    message:
      'A key can grant only what it holds itself; the operator of the service gives more on the command line, with "larder key".',
    details,
  });
}
