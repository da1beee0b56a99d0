import type { TenantKeys } from '../../access/tenant-keys.ts';
import type { LimitsChange } from '../../limits/operations.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_KEY, keyChangeSchema, keyObject, keyParams, keySchema } from './key-json.ts';

export const changeKey = operation({
  method: 'PATCH',
  path: '/v1/admin/keys/:keyId',
  id: 'changeKey',
  tag: 'Access (v1)',
  summary: 'Change the limits of a key; they apply within a second',
  description: 'A key grants at most its own limits; otherwise 403. The operator can grant higher ones.',
  access: { credential: 'bearer', scope: 'admin' },
  counts: 'other',
  params: keyParams,
  body: {
    schema: keyChangeSchema,
    example: { limits: { search: 50, barcode: null } },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    description: 'The key as it is now, without its text.',
    schema: keySchema,
    example: { ...EXAMPLE_KEY, limits: { search: 50 } },
  },
  errors: ['key_not_found'],
  handle: async ({ caller, params, body: { limits = {} } }, { keys }: { keys: TenantKeys }) => ({
    value: keyObject(await keys.changeLimits(caller.key, params.keyId, limits as LimitsChange)),
  }),
});
