import type { TenantKeys } from '../../access/tenant-keys.ts';
import { operation } from '../operation.ts';
import { keyParams } from './key-json.ts';

export const revokeKey = operation({
  method: 'DELETE',
  path: '/v1/admin/keys/:keyId',
  id: 'revokeKey',
  tag: 'Access (v1)',
  summary: 'Revoke a key; it and its tokens are refused within a second',
  access: { credential: 'bearer', scope: 'admin' },
  counts: 'other',
  params: keyParams,
  answer: { status: 204, description: 'The key is revoked.' },
  errors: ['key_not_found'],
  handle: async ({ caller, params }, { keys }: { keys: TenantKeys }) => {
    await keys.revoke(caller.tenant, params.keyId);
  },
});
