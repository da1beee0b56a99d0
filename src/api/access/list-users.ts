import { z } from 'zod';
import type { TenantDirectory } from '../../access/tenant-directory.ts';
import { listAnswer } from '../answers.ts';
import { pageOf, pageQueryOf } from '../lists.ts';
import { operation } from '../operation.ts';

/** Distinguishes a cursor from any other text, since an id may have any letters. */
const CURSOR_PREFIX = 'user:';

export const listUsers = operation({
  method: 'GET',
  path: '/v1/users',
  id: 'listUsers',
  tag: 'Access',
  summary: 'List the users of the tenant by id',
  description:
    'A user is listed after the first entry, recipe or goals were written, until the user is erased.',
  access: { credential: 'bearer', scope: 'admin' },
  counts: 'other',
  query: pageQueryOf(`${CURSOR_PREFIX}[!-~]{1,128}`),
  answer: listAnswer(
    'The users, with the address of the next page in Link.',
    z.object({ id: z.string() }).meta({ id: 'TenantUser' }),
    { id: 'ann' },
  ),
  handle: ({ caller, query }, { tenants }: { tenants: TenantDirectory }) =>
    pageOf(
      query,
      ({ after, limit }) => tenants.users(caller.tenant, { after: after.slice(CURSOR_PREFIX.length), limit }),
      ({ id }) => ({ id }),
      { cursorOf: ({ id }) => CURSOR_PREFIX + id },
    ),
});
