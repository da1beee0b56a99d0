import { AppError } from '@larder/core/errors.ts';
import type { Caller } from '../access/api-key.ts';
import type { DiaryOwner } from '../diary/records/entry.ts';
import type { FoodViewer } from '../foods/custom/food-owner.ts';
import type { NewScan, ScanViewer } from '../scan/scan-job.ts';

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

/** The scans that a caller sees: a key sees those of its tenant's users, but no other person's than its maker's; others see those of their user. */
export function viewerOf({ tenant, userId, shares }: Caller): ScanViewer {
  return { tenant, ...(userId !== undefined && { userId }), ...(shares && { barred: shares }) };
}

/** Which diaries the analysis of a scan may read for this caller. */
export function diariesOf({ userId, scopes, rights }: Caller): NewScan['diaries'] {
  if (userId === undefined || !scopes.includes('diary:read')) return undefined;
  return rights === undefined ? 'own' : 'shared';
}

/** Returns a viewer with the rights of this user; without a user, with those of the caller. */
export function viewerFor(caller: Caller, userId: string | undefined): FoodViewer {
  if (userId === undefined) return caller;
  requireUser(caller, userId, 'read');
  return { tenant: caller.tenant, userId };
}

/** Returns a viewer who finds foods by id also among those of people who share their diary. */
export function viewerById(caller: Caller): FoodViewer {
  return { ...viewerWithRecipes(caller), shares: caller.shares, sharers: sharersOf(caller) };
}

/**
 * Like `viewerFor`, for a viewer who also finds recipes as foods: those of this user, and those that a household member may log. They
 * are part of diaries, so the caller needs the right to read them.
 */
export function viewerWithRecipes(caller: Caller, userId: string | undefined = caller.userId): FoodViewer {
  const viewer = viewerFor(caller, userId);
  if (userId === undefined || !caller.scopes.includes('diary:read')) return viewer;
  return { ...viewer, recipesOf: [...new Set([userId, ...sharersOf(caller)])] };
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
 * user shares; a key that a person of the household made has it for no other person.
 */
export type Intent = 'read' | 'write' | 'alone';

/**
 * Throws `forbidden` if the caller acts for another user than `named` who does not share that with them. A
 * key may act for all users of its tenant, tokens and own keys of people for one user alone. A key that a person of the household
 * made may do with the data of other people what they share with this person.
 */
export function requireUser(
  { userId, rights, shares }: Caller,
  named: string | undefined,
  intent: Intent,
): void {
  if (named === undefined || named === userId) return;
  const right = (rights ?? shares)?.get(named);
  if (userId === undefined && right === undefined) return;
  if (intent !== 'alone' && (right === 'write' || right === intent)) return;
  const isOfOneUser = userId !== undefined && rights === undefined;
  throw new AppError({ code: 'forbidden', message: refusal(isOfOneUser, right, intent) });
}

function refusal(isOfOneUser: boolean, right: 'none' | 'read' | 'write' | undefined, intent: Intent): string {
  if (isOfOneUser) return 'This credential is for another user.';
  if (intent === 'alone') return 'Only this person may do this.';
  return right === 'read'
    ? 'You may read the diary of this person, but not change it.'
    : 'This person does not share the diary with you.';
}
