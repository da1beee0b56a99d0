import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { SCOPES } from '../../access/api-key.ts';
import type { TenantKeys } from '../../access/tenant-keys.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { line } from '../text-schemas.ts';
import {
  EXAMPLE_ISSUED_KEY,
  issuedKeyOutcome,
  issuedKeySchema,
  keyLimits,
  SECRET_NOTE,
  scopeSchema,
} from './key-json.ts';

const MAX_NAME_LENGTH = 100;

const newKeySchema = z
  .strictObject({
    scopes: z
      .array(scopeSchema)
      .min(1)
      .max(SCOPES.length)
      .describe('Only scopes of the calling key. Only the operator grants `metrics`.'),
    name: line(MAX_NAME_LENGTH).optional(),
    expiresAt: z.iso
      .datetime({ offset: true })
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
      await keys.create(caller.key, {
        scopes: [...new Set(scopes)],
        ...(name !== undefined && { name }),
        ...(expiresAt !== undefined && { expiresAt: toExpiry(expiresAt, nowMs()) }),
        ...(limits !== undefined && { limits: limits as Record<string, number> }),
      }),
    ),
});

/** In Unix seconds. */
function toExpiry(text: string, nowMs: number): number {
  const ms = Date.parse(text);
  if (ms > nowMs) return Math.floor(ms / 1000);
  throw new AppError({
    code: 'invalid_request',
    message: 'expiresAt has to lie ahead.',
    details: { fields: ['expiresAt'] },
  });
}
