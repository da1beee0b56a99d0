import { type Caller, USER_ID_PATTERN } from '../../access/caller.ts';
import type { FoodViewer } from '../../catalogue/tenant-foods/food-owner.ts';
import type { DiaryOwner } from '../../diary/entry.ts';
import { AppError } from '../../errors.ts';
import type { ScanOwner } from '../../scan/scan-job.ts';
import { requireUser } from '../server/guard.ts';

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

/** Who sees what this user sees; without a user, what the caller sees. */
export function viewerFor(caller: Caller, userId: string | undefined): FoodViewer {
  if (userId === undefined) return caller;
  requireUser(caller, userId);
  return { tenant: caller.tenant, userId };
}
