import type { TenantKeys } from '../../access/tenant-keys.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import {
  EXAMPLE_ISSUED_KEY,
  issuedKeyOutcome,
  issuedKeySchema,
  keyParams,
  rotateKeySchema,
  SECRET_NOTE,
} from './key-json.ts';

export const rotateKey = operation({
  method: 'POST',
  path: '/v1/admin/keys/:keyId/rotate',
  id: 'rotateKey',
  tag: 'Access (v1)',
  summary: 'Replace a key by a new one, and revoke the old one at once or after an overlap',
  description: `The caller needs all rights of the key; otherwise 403. ${SECRET_NOTE}`,
  access: { credential: 'bearer', scope: 'admin' },
  counts: 'other',
  params: keyParams,
  body: {
    schema: rotateKeySchema,
    example: { overlapSeconds: 86_400 },
    limit: BODY_LIMITS.fields,
    optional: true,
  },
  answer: {
    status: 201,
    description: 'The successor.',
    headers: ['Location'],
    collection: '/v1/admin/keys',
    schema: issuedKeySchema,
    example: EXAMPLE_ISSUED_KEY,
    holdsSecret: true,
  },
  errors: ['key_not_found'],
  handle: async ({ caller, params, body }, { keys }: { keys: TenantKeys }) =>
    issuedKeyOutcome(await keys.rotate(caller, params.keyId, body.overlapSeconds)),
});
