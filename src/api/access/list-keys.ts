import { z } from 'zod';
import { KEY_ID_FORM } from '../../access/key-format.ts';
import type { TenantKeys } from '../../access/tenant-keys.ts';
import { pageQueryOf } from '../list-queries.ts';
import { pageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_KEY, keyObject, keySchema } from './key-json.ts';

export const listKeys = operation({
  method: 'GET',
  path: '/v1/admin/keys',
  id: 'listKeys',
  tag: 'Access (v1)',
  summary: 'List keys in the order of their creation',
  access: { credential: 'bearer', scope: 'admin' },
  counts: 'other',
  query: pageQueryOf(KEY_ID_FORM),
  answer: {
    description: 'The keys, without their texts, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(keySchema),
    example: [EXAMPLE_KEY],
  },
  handle: ({ caller, query }, { keys }: { keys: TenantKeys }) =>
    pageOf(query, (page) => keys.list(caller.tenant, page), keyObject),
});
