import { type Caller, USER_ID_PATTERN } from '../../access/caller.ts';
import { invalidQuery } from '../../catalogue/food/search-request.ts';
import type { FoodViewer } from '../../catalogue/tenant-foods/food-owner.ts';
import type { DiaryOwner } from '../../diary/entry.ts';
import { AppError } from '../../errors.ts';
import type { ScanOwner } from '../../scan/scan-job.ts';
import { requireScope, requireUser } from '../server/guard.ts';

const INVALID_USER_ID = 'A user id has 1 to 128 printable ASCII characters and no space.';

/**
 * The owner of what the path names. The guard has refused tokens of other users. A key acts for every user of its own
 * tenant, to which nothing of another tenant exists.
 */
export function ownerOf({
  caller,
  params,
}: {
  readonly caller: Caller | null;
  readonly params: Readonly<Record<string, string>>;
}): DiaryOwner {
  const { tenant } = caller!;
  const userId = params['userId']!;
  if (USER_ID_PATTERN.test(userId)) return { tenant, userId };
  throw new AppError({
    code: 'invalid_request',
    message: INVALID_USER_ID,
    details: { fields: ['userId'] },
  });
}

/** Whose scans a caller sees: a key sees those of its tenant, a token those of its user. */
export function viewerOf({ tenant, userId }: Caller): ScanOwner {
  return { tenant, ...(userId !== undefined && { userId }) };
}

/** The user whose diary a search may look into; the caller needs the rights to read that diary. */
export function eaterOf(caller: Caller, userId: string | readonly string[]): string {
  requireScope(caller, 'diary:read');
  return namedUser(caller, userId);
}

/** Who sees what this user sees. */
export function viewerFor(caller: Caller, userId: string | readonly string[]): FoodViewer {
  return { tenant: caller.tenant, userId: namedUser(caller, userId) };
}

function namedUser(caller: Caller, userId: string | readonly string[]): string {
  if (typeof userId !== 'string') throw invalidQuery('userId', 'Give userId once.');
  requireUser(caller, userId);
  if (USER_ID_PATTERN.test(userId)) return userId;
  throw invalidQuery('userId', INVALID_USER_ID);
}
