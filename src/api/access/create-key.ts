import { z } from 'zod';
import type { TenantKeys } from '../../access/tenant-keys.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
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
} from './key-json.ts';

const newKeySchema = z
  .strictObject({
    scopes: scopesInput.describe(
      'Only scopes of the calling key. Only an operator grants `metrics` and `operator`.',
    ),
    name: keyName.optional(),
    expiresAt: expiryInput
      .optional()
      .describe('Not later than that of the calling key, which is the default.'),
    limits: keyLimits.optional(),
  })
  .meta({ id: 'KeyInput' });

export const createKey = operation({
  method: 'POST',
  path: '/v1/admin/keys',
  id: 'createKey',
  tag: 'Access (v1)',
  summary: 'Create a key',
  description: `A key grants at most its own rights; otherwise 403. ${SECRET_NOTE}`,
  access: { credential: 'bearer', scope: 'admin' },
  counts: 'other',
  body: {
    schema: newKeySchema,
    example: { scopes: ['foods:read'], name: 'CI' },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The key.',
    headers: ['Location'],
    schema: issuedKeySchema,
    example: EXAMPLE_ISSUED_KEY,
    holdsSecret: true,
  },
  handle: async (
    { caller, body: { scopes, name, expiresAt, limits } },
    { keys, nowMs }: { keys: TenantKeys; nowMs: () => number },
  ) =>
    issuedKeyOutcome(
      await keys.create(caller, {
        scopes: [...new Set(scopes)],
        ...(name !== undefined && { name }),
        ...(expiresAt !== undefined && { expiresAt: toExpiry(expiresAt, nowMs()) }),
        ...(limits !== undefined && { limits: limits as Record<string, number> }),
      }),
    ),
});
