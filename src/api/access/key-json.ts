import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { type ApiKey, type Creator, SCOPES } from '../../access/api-key.ts';
import type { IssuedKey } from '../../access/key-issuer.ts';
import { LIMITED_OPERATIONS, type LimitedOperation, MAX_OWN_LIMIT } from '../../limits/operations.ts';
import { isoTime } from '../fields.ts';
import type { Outcome } from '../operation.ts';
import { line } from '../text-schemas.ts';

const MAX_NAME_LENGTH = 100;

export const scopeSchema = z.enum(SCOPES).meta({ id: 'Scope' });

export const scopesInput = z.array(scopeSchema).min(1).max(SCOPES.length);
export const keyName = line(MAX_NAME_LENGTH);
export const expiryInput = z.iso.datetime({ offset: true });

const limit = z.int().min(1).max(MAX_OWN_LIMIT);

const STATED_LIMITS = 'Limits that differ from the defaults: requests a minute for each operation.';

export const keyLimits = z
  .strictObject(byOperation(limit.optional()))
  .meta({ id: 'KeyLimitsInput', description: STATED_LIMITS });

const keyLimitsChange = z.strictObject(byOperation(limit.nullable().optional())).meta({
  id: 'KeyLimitsPatch',
  description: 'Requests a minute for each operation; null restores the default. Other limits do not change.',
});

export const keyChangeSchema = z
  .strictObject({ limits: keyLimitsChange.optional() })
  .meta({ id: 'KeyPatch' });

export const creatorSchema = z
  .object({
    kind: z.enum(['person', 'key', 'cli']).describe('`cli`: the command line of the service.'),
    id: z.string().optional().describe('Of the person or key.'),
  })
  .meta({ id: 'Creator', description: 'Who got the secret.' });

/** The reverse of `creatorOf`, as in responses. */
export function creatorObject(creator: Creator | undefined): z.input<typeof creatorSchema> | undefined {
  if (creator === undefined) return undefined;
  const [kind, id] = creator.split(/:(.*)/s);
  return { kind: kind as 'person' | 'key' | 'cli', ...(id !== undefined && { id }) };
}

export const keySchema = z
  .object({
    id: z.string(),
    tenant: z.string(),
    userId: z
      .string()
      .optional()
      .describe(
        'The person whose key it is, and the only user for whom it acts; absent for a key of the tenant.',
      ),
    createdBy: creatorSchema.optional().describe('Absent for keys from before version 1.0.0.'),
    name: z.string().optional(),
    scopes: z.array(scopeSchema),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().optional(),
    revokedAt: z.iso
      .datetime()
      .optional()
      .describe('The key is refused from this time on, which may be in the future.'),
    lastUsedAt: z.iso
      .datetime()
      .optional()
      .describe('Exact to an hour; absent for a key that was never used.'),
    limits: z
      .object(byOperation(limit.optional()))
      .meta({ id: 'KeyLimits', description: STATED_LIMITS })
      .optional(),
  })
  .meta({ id: 'Key' });

export const issuedKeySchema = keySchema
  .extend({ key: z.string().describe('Shown only in this response.') })
  .meta({ id: 'IssuedKey' });

export const EXAMPLE_KEY = {
  id: '1xUf0O1ZNLc9',
  tenant: 'default',
  name: 'CI',
  scopes: ['foods:read'],
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;

export const SECRET_NOTE =
  'The key is shown only in this response, which is not stored. So an Idempotency-Key has no effect.';

export const EXAMPLE_ISSUED_KEY = { ...EXAMPLE_KEY, key: 'lrd_1xUf0O1ZNLc9…' };

/** A new key with its text, and the address of the key without its text. */
export function issuedKeyOutcome({ key, text }: IssuedKey): Outcome {
  return { value: { ...keyObject(key), key: text }, created: key.id };
}

/** In Unix seconds. */
export function toExpiry(text: string, nowMs: number): number {
  const ms = Date.parse(text);
  if (ms > nowMs) return Math.floor(ms / 1000);
  throw new AppError({
    code: 'invalid_request',
    message: 'expiresAt must be in the future.',
    details: { fields: ['expiresAt'] },
  });
}

function byOperation<Schema extends z.ZodType>(schema: Schema): Record<LimitedOperation, Schema> {
  return Object.fromEntries(LIMITED_OPERATIONS.map((name) => [name, schema])) as Record<
    LimitedOperation,
    Schema
  >;
}

/** A key as in responses, without its text. */
export function keyObject({ createdAt, createdBy, expiresAt, revokedAt, lastUsedAt, ...key }: ApiKey) {
  return {
    ...key,
    createdBy: creatorObject(createdBy),
    createdAt: isoTime(createdAt * 1000),
    expiresAt: expiresAt === undefined ? undefined : isoTime(expiresAt * 1000),
    revokedAt: revokedAt === undefined ? undefined : isoTime(revokedAt * 1000),
    lastUsedAt: lastUsedAt === undefined ? undefined : isoTime(lastUsedAt * 1000),
  };
}
