import { z } from 'zod';
import type { TenantKeys } from '../../../access/tenant-keys.ts';
import { pageQuery } from '../../openapi/list-queries.ts';
import { jsonList } from '../../server/body/json-list.ts';
import { operation } from '../../server/operation.ts';
import { EXAMPLE_KEY, keyJson, keySchema } from './key-json.ts';

export const listKeys = operation({
  method: 'GET',
  path: '/v1/admin/keys',
  id: 'listKeys',
  tag: 'Access (v1)',
  summary: 'List keys in the order of their creation',
  access: { credential: 'bearer', scope: 'admin' },
  counts: 'other',
  query: pageQuery,
  answer: {
    description: 'The keys, without their texts.',
    schema: z.array(keySchema),
    example: [EXAMPLE_KEY],
  },
  handle:
    ({ keys }: { keys: TenantKeys }) =>
    async ({ caller, query }) =>
      jsonList(await keys.list(caller.tenant, query), keyJson),
});
