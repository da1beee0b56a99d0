import { z } from 'zod';
import { TENANT_PATTERN } from '../../access/api-key.ts';
import { KEY_ID_FORM } from '../../access/key-format.ts';
import type { OperatorKeys } from '../../access/operator-keys.ts';
import { EXAMPLE_KEY, keyObject, keyParams, keySchema } from '../access/key-json.ts';
import { pageQueryOf } from '../list-queries.ts';
import { pageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { OPERATOR_TAG, operatorAccess, TENANT_FORM } from './operator-parts.ts';

export const listOperatorKeys = operation({
  method: 'GET',
  path: '/v1/operator/keys',
  id: 'listOperatorKeys',
  tag: OPERATOR_TAG,
  summary: 'List the keys of all tenants in the order of their creation',
  access: operatorAccess,
  counts: 'other',
  query: pageQueryOf(KEY_ID_FORM).extend({
    tenant: z.string().regex(TENANT_PATTERN, TENANT_FORM).optional().describe('Only keys of this tenant.'),
  }),
  answer: {
    description: 'The keys, without their texts, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(keySchema),
    example: [EXAMPLE_KEY],
  },
  handle: ({ query }, { operatorKeys }: { operatorKeys: OperatorKeys }) =>
    pageOf(
      query,
      (page) => operatorKeys.list({ ...page, ...(query.tenant !== undefined && { tenant: query.tenant }) }),
      keyObject,
    ),
});

export const getOperatorKey = operation({
  method: 'GET',
  path: '/v1/operator/keys/:keyId',
  id: 'getOperatorKey',
  tag: OPERATOR_TAG,
  summary: 'Read a key of any tenant',
  access: operatorAccess,
  counts: 'other',
  params: keyParams,
  answer: { description: 'The key, without its text.', schema: keySchema, example: EXAMPLE_KEY },
  errors: ['key_not_found'],
  handle: async ({ params }, { operatorKeys }: { operatorKeys: OperatorKeys }) => ({
    value: keyObject(await operatorKeys.get(params.keyId)),
  }),
});
