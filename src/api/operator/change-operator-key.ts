import type { OperatorKeys } from '../../access/operator-keys.ts';
import type { LimitsChange } from '../../limits/operations.ts';
import { EXAMPLE_KEY, keyChangeSchema, keyObject, keyParams, keySchema } from '../access/key-json.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { OPERATOR_TAG, operatorAccess } from './operator-parts.ts';

export const changeOperatorKey = operation({
  method: 'PATCH',
  path: '/v1/operator/keys/:keyId',
  id: 'changeOperatorKey',
  tag: OPERATOR_TAG,
  summary: 'Change the limits of a key of any tenant; they apply within a second',
  access: operatorAccess,
  counts: 'other',
  params: keyParams,
  body: {
    schema: keyChangeSchema,
    example: { limits: { search: 1_000, barcode: null } },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    description: 'The key as it is now, without its text.',
    schema: keySchema,
    example: { ...EXAMPLE_KEY, limits: { search: 1_000 } },
  },
  errors: ['key_not_found'],
  handle: async ({ params, body: { limits = {} } }, { operatorKeys }: { operatorKeys: OperatorKeys }) => ({
    value: keyObject(await operatorKeys.changeLimits(params.keyId, limits as LimitsChange)),
  }),
});
