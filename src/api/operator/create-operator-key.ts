import { z } from 'zod';
import { TENANT_PATTERN } from '../../access/api-key.ts';
import { creatorOf } from '../../access/creator.ts';
import type { OperatorKeys } from '../../access/operator-keys.ts';
import {
  EXAMPLE_ISSUED_KEY,
  expiryInput,
  issuedKeyOutcome,
  issuedKeySchema,
  keyLimits,
  keyName,
  SECRET_NOTE,
  scopesInput,
  toExpiry,
} from '../access/key-json.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { confirmedOperatorAccess, OPERATOR_TAG, TENANT_FORM } from './operator-parts.ts';

const newKeySchema = z
  .strictObject({
    tenant: z
      .string()
      .regex(TENANT_PATTERN, TENANT_FORM)
      .describe('The tenant whose foods, scans and diaries the key can use.'),
    scopes: scopesInput.describe('What the key may do. `operator` and `metrics` reach all tenants.'),
    name: keyName.optional(),
    expiresAt: expiryInput.optional().describe('Without it the key never expires.'),
    limits: keyLimits.optional(),
    newTenant: z.boolean().default(false).describe('True begins the tenant where it does not exist.'),
    beyondQuota: z
      .boolean()
      .default(false)
      .describe('True creates the key although the tenant has LARDER_KEYS_PER_TENANT valid ones.'),
  })
  .meta({ id: 'OperatorKeyInput' });

export const createOperatorKey = operation({
  method: 'POST',
  path: '/v1/operator/keys',
  id: 'createOperatorKey',
  tag: OPERATOR_TAG,
  summary: 'Create a key of any tenant',
  description: SECRET_NOTE,
  access: confirmedOperatorAccess,
  counts: 'other',
  body: {
    schema: newKeySchema,
    example: { tenant: 'default', scopes: ['foods:read', 'scan'], name: 'Kitchen tablet', newTenant: true },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The key.',
    schema: issuedKeySchema,
    example: EXAMPLE_ISSUED_KEY,
    headers: ['Location'],
    collection: '/v1/operator/keys',
    holdsSecret: true,
  },
  errors: ['quota_exceeded', 'confirmation_required'],
  handle: async (
    { caller, body: { scopes, name, expiresAt, limits, ...asked } },
    { operatorKeys, nowMs }: { operatorKeys: OperatorKeys; nowMs: () => number },
  ) =>
    issuedKeyOutcome(
      await operatorKeys.create({
        ...asked,
        createdBy: creatorOf(caller),
        scopes: [...new Set(scopes)],
        ...(name !== undefined && { name }),
        ...(expiresAt !== undefined && { expiresAt: toExpiry(expiresAt, nowMs()) }),
        ...(limits !== undefined && { limits: limits as Record<string, number> }),
      }),
    ),
});
