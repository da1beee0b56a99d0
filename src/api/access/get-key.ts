import type { TenantKeys } from '../../access/tenant-keys.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_KEY, keyObject, keyParams, keySchema } from './key-json.ts';

export const getKey = operation({
  method: 'GET',
  path: '/v1/admin/keys/:keyId',
  id: 'getKey',
  tag: 'Access (v1)',
  summary: 'Read a key',
  access: { credential: 'bearer', scope: 'admin' },
  counts: 'other',
  params: keyParams,
  answer: { description: 'The key, without its text.', schema: keySchema, example: EXAMPLE_KEY },
  errors: ['key_not_found'],
  handle: async ({ caller, params }, { keys }: { keys: TenantKeys }) => ({
    value: keyObject(await keys.get(caller.tenant, params.keyId)),
  }),
});
