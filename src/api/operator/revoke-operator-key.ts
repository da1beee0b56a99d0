import type { OperatorKeys } from '../../access/operator-keys.ts';
import { keyParams } from '../access/key-json.ts';
import { operation } from '../operation.ts';
import { OPERATOR_TAG, operatorAccess } from './operator-parts.ts';

export const revokeOperatorKey = operation({
  method: 'DELETE',
  path: '/v1/operator/keys/:keyId',
  id: 'revokeOperatorKey',
  tag: OPERATOR_TAG,
  summary: 'Revoke a key of any tenant; it and its tokens are refused within a second',
  access: operatorAccess,
  counts: 'other',
  params: keyParams,
  answer: { status: 204, description: 'The key is revoked.' },
  errors: ['key_not_found'],
  handle: async ({ params }, { operatorKeys }: { operatorKeys: OperatorKeys }) => {
    await operatorKeys.revoke(params.keyId);
  },
});
