import type { Caller } from '../../access/api-key.ts';
import type { DiaryOwner } from '../../diary/records/entry.ts';
import type { FoodViewer } from '../../foods/custom/food-owner.ts';
import type { ScanOwner } from '../../scan/scan-job.ts';
import { requireUser } from '../server/guard.ts';

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

/** Who sees what this user sees; without a user, what the caller sees. */
export function viewerFor(caller: Caller, userId: string | undefined): FoodViewer {
  if (userId === undefined) return caller;
  requireUser(caller, userId);
  return { tenant: caller.tenant, userId };
}
