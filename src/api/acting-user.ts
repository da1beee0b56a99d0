import { AppError } from '@larder/core/errors.ts';
import type { Caller } from '../access/api-key.ts';
import type { DiaryOwner } from '../diary/records/entry.ts';
import type { FoodViewer } from '../foods/custom/food-owner.ts';
import type { ScanOwner } from '../scan/scan-job.ts';

/**
 * The owner of the objects in the path, whose user id the schema has accepted. The guard has rejected callers
 * for other users. A key acts for every user of its own tenant; objects of other tenants do not exist for it.
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

/** The owner whose scans a caller sees: a key sees those of its tenant, others those of their user. */
export function viewerOf({ tenant, userId }: Caller): ScanOwner {
  return { tenant, ...(userId !== undefined && { userId }) };
}

/** Returns a viewer with the rights of this user; without a user, with those of the caller. */
export function viewerFor(caller: Caller, userId: string | undefined): FoodViewer {
  if (userId === undefined) return caller;
  requireUser(caller, userId, 'read');
  return { tenant: caller.tenant, userId };
}

/** Returns a viewer who finds foods by id also among those of people who share their diary. */
export function viewerById(caller: Caller): FoodViewer {
  return { tenant: caller.tenant, userId: caller.userId, sharers: sharersOf(caller) };
}

/** Users whose recipes and foods a household member may log, in each diary that they may write. */
export function sharersOf({ userId, rights }: Caller): readonly string[] {
  return rights === undefined ? [] : [userId!, ...rights.keys()];
}

/** Throws `forbidden` if the credential lacks the scope. */
export function requireScope(caller: Caller, scope: Caller['scopes'][number] | undefined): void {
  if (scope === undefined || caller.scopes.includes(scope)) return;
  throw new AppError({
    code: 'forbidden',
    message: `This needs the scope ${scope}, which the credential does not have.`,
    details: { scope },
  });
}

/**
 * The right that a caller needs in the data of a user. `alone`: only the user and keys have it, whatever the
 * user shares.
 */
export type Intent = 'read' | 'write' | 'alone';

/**
 * Throws `forbidden` if the caller acts for another user than `named` who does not share that with them. A
 * key may act for all users of its tenant, tokens and own keys of people for one user alone.
 */
export function requireUser({ userId, rights }: Caller, named: string | undefined, intent: Intent): void {
  if (userId === undefined || named === undefined || named === userId) return;
  const right = rights?.get(named);
  if (intent !== 'alone' && (right === 'write' || right === intent)) return;
  throw new AppError({ code: 'forbidden', message: refusal(rights === undefined, right, intent) });
}

function refusal(isOfOneUser: boolean, right: 'read' | 'write' | undefined, intent: Intent): string {
  if (isOfOneUser) return 'This credential is for another user.';
  if (intent === 'alone') return 'Only this person may do this.';
  return right === undefined
    ? 'This person does not share the diary with you.'
    : 'You may read the diary of this person, but not change it.';
}
