import { AppError } from '@larder/core/errors.ts';
import type { Food, FoodId } from '@larder/core/food.ts';
import { recordIdsOf } from '../../base/time-ordered-id.ts';

/** The caller who reads foods: a key of the tenant, or a caller with the rights of one user. */
export interface FoodViewer {
  readonly tenant: string;
  readonly userId?: string | undefined;
  /** Present for a member of the household, who enters and changes foods for all. */
  readonly isMember?: true | undefined;
  /** Other users whose foods this viewer finds by id. */
  readonly sharers?: readonly string[] | undefined;
  /** For a key that a person of the household made: the access to foods of the other people. */
  readonly shares?: ReadonlyMap<string, 'none' | 'read' | 'write'> | undefined;
  /** Users whose recipes this viewer finds as foods. */
  readonly recipesOf?: readonly string[] | undefined;
}

/** The owner of a food as stated by a client. */
export interface StatedOwner {
  /** Whether all users of the tenant see it. */
  readonly shared?: boolean | undefined;
  readonly userId?: string | undefined;
}

/**
 * The user who will own the food; undefined if all users of the tenant see it. A user's token writes foods of
 * that user only; a key decides, and without a statement the owner remains as in `before`. A household member
 * shares foods unless `shared` is false.
 */
export function toOwner(
  { shared, userId }: StatedOwner,
  caller: FoodViewer,
  before?: string,
): string | undefined {
  if (caller.isMember) {
    if (userId !== undefined && userId !== caller.userId) throw forbidden('Foods are yours, or shared.');
    return (shared ?? (userId ?? before) === undefined) ? undefined : caller.userId;
  }
  if (caller.userId !== undefined) {
    if (shared === true) throw forbidden('Only a key can share a food with all users of the tenant.');
    if (userId !== undefined && userId !== caller.userId) throw forbidden('This token is for another user.');
    return caller.userId;
  }
  if (shared === true && userId !== undefined) {
    throw invalid(['shared', 'userId'], 'A food is shared by all users or belongs to one, not both.');
  }
  if (shared === true) return undefined;
  const owner = userId ?? before;
  if (owner !== undefined) requireShared(owner, caller);
  if (shared === false && owner === undefined) {
    throw invalid(['userId'], 'Say in userId whose food it is, as it is not shared.');
  }
  return owner;
}

/**
 * Whether a viewer sees a food: a key sees all foods of its tenant but those of people who do not share them with its maker, a user
 * the shared ones, their own and those of `sharers`.
 */
export function isSeen({ userId }: Food, { userId: viewer, sharers = [], shares }: FoodViewer): boolean {
  if (userId === undefined || userId === viewer) return true;
  return viewer === undefined ? shares?.get(userId) !== 'none' : sharers.includes(userId);
}

/** The users whose foods a key does not see. */
export function unseenBy({ shares = new Map() }: FoodViewer): readonly string[] {
  return [...shares].flatMap(([userId, access]) => (access === 'none' ? [userId] : []));
}

/**
 * Throws `forbidden` for a shared food, which users see but only keys and household members may change, and for one of a person who
 * does not let the maker of the key write.
 */
export function requireChangeable({ userId }: Food, caller: FoodViewer): void {
  if (caller.userId === undefined && userId !== undefined) requireShared(userId, caller);
  if (caller.userId === undefined || userId === caller.userId || caller.isMember) return;
  throw forbidden('All users of the tenant share this food; only a key can change or delete it.');
}

function requireShared(userId: string, { shares }: FoodViewer): void {
  if ((shares?.get(userId) ?? 'write') !== 'write')
    throw forbidden('This food would be or is of a person who does not let you write.');
}

function forbidden(message: string): AppError {
  return new AppError({ code: 'forbidden', message });
}

function invalid(fields: readonly string[], message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { fields } });
}

const MANUAL = 'manual:';

/**
 * The ids under which the custom food with this id may be stored, first as it is written: a UUID of a client is kept in its case, and
 * equals the one in the other case.
 */
export function customFoodIdsOf(id: string): readonly FoodId[] {
  const [key = '', ...owner] = id.slice(MANUAL.length).split('.');
  const others = id.startsWith(MANUAL) && key.includes('-') ? recordIdsOf(key) : [];
  const ids = others.map((each) => `${MANUAL}${[each, ...owner].join('.')}`);
  return [...new Set([id, ...ids])] as FoodId[];
}
