import { USER_ID_PATTERN } from '../../access/caller.ts';
import type { DiaryOwner } from '../../diary/entry.ts';
import { AppError } from '../../errors.ts';
import type { RouteRequest } from '../route.ts';

/**
 * Whose things the path is about. The guard has refused the tokens of other users. A key acts for every user of its
 * own tenant, so another tenant's things are the same as what does not exist.
 */
export function ownerOf({ caller, params }: RouteRequest): DiaryOwner {
  const { tenant } = caller!;
  const userId = params['userId']!;
  if (USER_ID_PATTERN.test(userId)) return { tenant, userId };
  throw new AppError({
    code: 'invalid_request',
    message: 'A user id has 1 to 128 printable ASCII characters and no space.',
    details: { fields: ['userId'] },
  });
}
