import { creatorOf } from '../../access/creator.ts';
import type { OperatorKeys } from '../../access/operator-keys.ts';
import {
  EXAMPLE_ISSUED_KEY,
  issuedKeyOutcome,
  issuedKeySchema,
  keyParams,
  rotateKeySchema,
  SECRET_NOTE,
} from '../access/key-json.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { confirmedOperatorAccess, OPERATOR_TAG } from './operator-parts.ts';

export const rotateOperatorKey = operation({
  method: 'POST',
  path: '/v1/operator/keys/:keyId/rotate',
  id: 'rotateOperatorKey',
  tag: OPERATOR_TAG,
  summary: 'Replace a key of any tenant by a new one, and revoke the old one at once or after an overlap',
  description: SECRET_NOTE,
  access: confirmedOperatorAccess,
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
    collection: '/v1/operator/keys',
    schema: issuedKeySchema,
    example: EXAMPLE_ISSUED_KEY,
    holdsSecret: true,
  },
  errors: ['key_not_found', 'confirmation_required'],
  handle: async ({ caller, params, body }, { operatorKeys }: { operatorKeys: OperatorKeys }) =>
    issuedKeyOutcome(await operatorKeys.rotate(params.keyId, creatorOf(caller), body.overlapSeconds)),
});
