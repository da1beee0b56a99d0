import { z } from 'zod';
import type { ApiKey } from '../../../access/api-key.ts';
import type { IssuedKey } from '../../../access/key-issuer.ts';
import { SCOPES } from '../../../access/scope.ts';
import { MAX_OWN_LIMIT, OPERATIONS } from '../../../limits/operations.ts';
import { line } from '../../openapi/text-schemas.ts';
import { isoTime } from '../fields.ts';

const MAX_NAME_LENGTH = 100;

const limits = z
  .partialRecord(z.enum(OPERATIONS), z.int().min(1).max(MAX_OWN_LIMIT))
  .describe('Requests a minute by operation, where they differ from the defaults.');

export const newKeySchema = z.strictObject({
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .max(SCOPES.length)
    .describe('Scopes that the calling key has itself; `metrics` is given by the operator alone.'),
  name: line(MAX_NAME_LENGTH).optional(),
  expiresAt: z.iso
    .datetime()
    .optional()
    .describe('Not after that of the calling key, which it has otherwise.'),
  limits: limits.optional(),
});

export const keySchema = z.object({
  id: z.string(),
  tenant: z.string(),
  name: z.string().optional(),
  scopes: z.array(z.enum(SCOPES)),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
  revokedAt: z.iso.datetime().optional().describe('Refused from this moment on; it may lie ahead.'),
  limits: limits.optional(),
});

export const issuedKeySchema = keySchema.extend({ key: z.string().describe('Shown this once.') });

export const rotateKeySchema = z.strictObject({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(0)
    .describe('How long the old key stays valid.'),
});

export const EXAMPLE_KEY = {
  id: '1xUf0O1ZNLc9',
  tenant: 'default',
  name: 'CI',
  scopes: ['foods:read'],
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;

export const EXAMPLE_ISSUED_KEY = { ...EXAMPLE_KEY, key: 'lrd_1xUf0O1ZNLc9…' };

export function keyJson(key: ApiKey): string {
  return JSON.stringify(toBody(key));
}

export function issuedKeyJson({ key, text }: IssuedKey): string {
  return JSON.stringify({ ...toBody(key), key: text });
}

function toBody({ createdAt, expiresAt, revokedAt, ...key }: ApiKey) {
  return {
    ...key,
    createdAt: isoTime(createdAt * 1000),
    expiresAt: expiresAt === undefined ? undefined : isoTime(expiresAt * 1000),
    revokedAt: revokedAt === undefined ? undefined : isoTime(revokedAt * 1000),
  };
}
