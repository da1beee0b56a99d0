import { z } from 'zod';
import { KEY_ID_FORM } from '../../access/key-format.ts';
import type { TenantKeys } from '../../access/tenant-keys.ts';
import type { LimitsChange } from '../../limits/operations.ts';
import { listAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { applyChange } from '../etag.ts';
import { withoutReadOnly } from '../fields.ts';
import { pageOf, pageQueryOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { tenantText } from '../text-schemas.ts';
import {
  EXAMPLE_ISSUED_KEY,
  EXAMPLE_KEY,
  expiryInput,
  issuedKeyOutcome,
  issuedKeySchema,
  keyChangeSchema,
  keyLimits,
  keyName,
  keyObject,
  keySchema,
  SECRET_NOTE,
  scopesInput,
  toExpiry,
} from './key-json.ts';

interface Ports {
  readonly keys: TenantKeys;
}

const COLLECTION = '/v1/keys';
const shared = {
  tag: 'Access',
  /** The keys of the own tenant, or of all. */
  access: { credential: 'bearer', scope: 'admin', orScope: 'operator' },
  counts: 'other',
} as const;
/** A session gets no new credential without a recent proof. */
const confirmed = { ...shared, access: { ...shared.access, confirmed: true } } as const;
const one = {
  params: z.object({ keyId: z.string().meta({ example: EXAMPLE_KEY.id }) }),
  path: `${COLLECTION}/:keyId`,
  errors: ['key_not_found'],
} as const;

export const listKeys = operation({
  ...shared,
  method: 'GET',
  path: COLLECTION,
  id: 'listKeys',
  summary: 'List keys in the order of their creation',
  description: 'Those of the tenant; with the scope `operator` those of all tenants.',
  query: pageQueryOf(KEY_ID_FORM).extend({
    tenant: tenantText.optional().describe('Only keys of this tenant.'),
  }),
  answer: listAnswer(
    'The keys, without their texts, with the address of the next page in Link.',
    keySchema,
    EXAMPLE_KEY,
  ),
  handle: ({ caller, query }, { keys }: Ports) =>
    pageOf(query, (page) => keys.list(caller, { ...page, tenant: query.tenant }), keyObject),
});

export const createKey = operation({
  ...confirmed,
  method: 'POST',
  path: COLLECTION,
  id: 'createKey',
  summary: 'Create a key',
  description: `A key grants at most its own rights, otherwise 403; the scope \`operator\` grants all. ${SECRET_NOTE}`,
  body: {
    schema: z
      .strictObject({
        tenant: tenantText
          .optional()
          .describe(
            'Whose foods, scans and diaries the key can use; only operators name another than their own.',
          ),
        scopes: scopesInput.describe(
          'What the key may do. Only operators grant `metrics` and `operator`, which reach all tenants.',
        ),
        name: keyName.optional(),
        expiresAt: expiryInput
          .optional()
          .describe(
            'Not later than that of the calling key, which is the default. A key of an operator has none by default.',
          ),
        limits: keyLimits.optional(),
        newTenant: z
          .boolean()
          .default(false)
          .describe('For operators: true begins the tenant where it does not exist.'),
        beyondQuota: z
          .boolean()
          .default(false)
          .describe(
            'For operators: true creates the key although the tenant has LARDER_KEYS_PER_TENANT valid ones.',
          ),
      })
      .meta({ id: 'KeyInput' }),
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
  errors: ['quota_exceeded', 'confirmation_required'],
  handle: async (
    { caller, body: { scopes, name, expiresAt, limits, ...asked } },
    { keys, nowMs }: Ports & { nowMs: () => number },
  ) =>
    issuedKeyOutcome(
      await keys.create(caller, {
        ...asked,
        scopes: [...new Set(scopes)],
        ...(name !== undefined && { name }),
        ...(expiresAt !== undefined && { expiresAt: toExpiry(expiresAt, nowMs()) }),
        ...(limits !== undefined && { limits: limits as Record<string, number> }),
      }),
    ),
});

export const getKey = operation({
  ...shared,
  ...one,
  method: 'GET',
  id: 'getKey',
  summary: 'Read a key',
  answer: { description: 'The key, without its text.', schema: keySchema, example: EXAMPLE_KEY },
  handle: async ({ caller, params }, { keys }: Ports) => ({
    value: keyObject(await keys.get(caller, params.keyId)),
  }),
});

const READ_ONLY = Object.keys(keySchema.shape).filter((name) => name !== 'limits');

export const changeKey = operation({
  ...shared,
  ...one,
  method: 'PATCH',
  id: 'changeKey',
  summary: 'Change the limits of a key; they apply within a second',
  description: 'A key grants at most its own limits, otherwise 403; the scope `operator` grants higher ones.',
  body: {
    schema: withoutReadOnly(keyChangeSchema, READ_ONLY),
    described: keyChangeSchema,
    example: { limits: { search: 50, barcode: null } },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    description: 'The key as it is now, without its text.',
    schema: keySchema,
    example: { ...EXAMPLE_KEY, limits: { search: 50 } },
  },
  handle: async (request, { keys }: Ports) => {
    const { caller, params, body } = request;
    return applyChange(request, {
      readOnly: READ_ONLY,
      readCurrent: async () => keyObject(await keys.get(caller, params.keyId)),
      change: async () => ({
        value: keyObject(await keys.changeLimits(caller, params.keyId, (body.limits ?? {}) as LimitsChange)),
      }),
    });
  },
});

export const revokeKey = operation({
  ...shared,
  ...one,
  method: 'DELETE',
  id: 'revokeKey',
  summary: 'Revoke a key; it and its tokens are refused within a second',
  answer: { status: 204, description: 'The key is revoked.' },
  handle: async ({ caller, params }, { keys }: Ports) => {
    await keys.revoke(caller, params.keyId);
  },
});

export const rotateKey = operation({
  ...confirmed,
  ...one,
  method: 'POST',
  path: `${COLLECTION}/:keyId/rotate`,
  id: 'rotateKey',
  summary: 'Replace a key by a new one, and revoke the old one at once or after an overlap',
  description: `The caller needs all rights of the key, or the scope \`operator\`; otherwise 403. ${SECRET_NOTE}`,
  body: {
    schema: z
      .strictObject({
        overlapSeconds: z
          .int()
          .min(0)
          .max(30 * 86_400)
          .default(0)
          .describe('How long the old key stays valid.'),
      })
      .meta({ id: 'KeyRotation' }),
    example: { overlapSeconds: 86_400 },
    limit: BODY_LIMITS.fields,
    optional: true,
  },
  answer: {
    status: 201,
    description: 'The successor.',
    headers: ['Location'],
    collection: COLLECTION,
    schema: issuedKeySchema,
    example: EXAMPLE_ISSUED_KEY,
    holdsSecret: true,
  },
  errors: ['key_not_found', 'confirmation_required'],
  handle: async ({ caller, params, body }, { keys }: Ports) =>
    issuedKeyOutcome(await keys.rotate(caller, params.keyId, body.overlapSeconds)),
});
