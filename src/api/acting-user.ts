import { AppError } from '@larder/core/errors.ts';
import type { Caller } from '../access/api-key.ts';
import type { DiaryOwner } from '../diary/records/entry.ts';
import type { FoodViewer } from '../foods/custom/food-owner.ts';
import type { ScanOwner } from '../scan/scan-job.ts';

/**
 * The owner of what the path names, whose user id the schema has accepted. The guard has refused tokens of other users. A
 * key acts for every user of its own tenant, to which nothing of another tenant exists.
 */
export function ownerOf({
  caller,
  params,
}: {
  readonly caller: Caller;
  readonly params: { readonly userId: string };
}): DiaryOwner {
  return { tenant: caller.tenant, userId: params.userId };
}

/** Whose scans a caller sees: a key sees those of its tenant, a token those of its user. */
export function viewerOf({ tenant, userId }: Caller): ScanOwner {
  return { tenant, ...(userId !== undefined && { userId }) };
}

/** Returns a viewer who sees what this user sees; without a user, what the caller sees. */
export function viewerFor(caller: Caller, userId: string | undefined): FoodViewer {
  if (userId === undefined) return caller;
  requireUser(caller, userId);
  return { tenant: caller.tenant, userId };
}

/** Throws `forbidden` where the credential lacks the scope. */
export function requireScope(caller: Caller, scope: Caller['scopes'][number] | undefined): void {
  if (scope === undefined || caller.scopes.includes(scope)) return;
  throw new AppError({
    code: 'forbidden',
    message: `This needs the scope ${scope}, which the credential does not have.`,
    details: { scope },
  });
}

/** Throws `forbidden` where a token is for another user than `named`. A key may act for all users of its tenant. */
export function requireUser({ userId }: Caller, named: string | undefined): void {
  if (userId === undefined || named === undefined || named === userId) return;
  throw new AppError({ code: 'forbidden', message: 'This token is for another user.' });
}
