import { z } from 'zod';
import type { TenantKeys } from '../../../access/tenant-keys.ts';
import { AppError } from '../../../errors.ts';
import { jsonList, noContent, readBody } from '../../server/bodies.ts';
import { BODY_LIMITS } from '../../server/limits.ts';
import type { Route } from '../../server/route.ts';
import { pageQuery, readLimit, readText } from '../query.ts';
import {
  EXAMPLE_ISSUED_KEY,
  EXAMPLE_KEY,
  issuedKeyJson,
  issuedKeySchema,
  keyJson,
  keySchema,
  newKeySchema,
  rotateKeySchema,
} from './key-json.ts';

const tag = 'Access (v1)';
const access = { credential: 'bearer', scope: 'admin' } as const;
const operation = 'other';
const params = z.object({ keyId: z.string().meta({ example: EXAMPLE_KEY.id }) });
const SECRET_NOTE =
  'The key is shown this once. Its answer is not kept, so an Idempotency-Key has no effect.';

export interface KeyRoutesPorts {
  readonly keys: () => TenantKeys;
  readonly nowMs: () => number;
}

/** API keys of the caller's own tenant. */
export function keyRoutes({ keys, nowMs }: KeyRoutesPorts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/admin/keys',
      access,
      operation,
      docs: {
        tag,
        operationId: 'listKeys',
        summary: 'List keys in the order of their creation',
        query: pageQuery,
        answer: {
          description: 'The keys, without their texts.',
          schema: z.array(keySchema),
          example: [EXAMPLE_KEY],
        },
      },
      handle: async ({ caller, query }) => {
        const after = readText(query, 'after');
        const page = { limit: readLimit(query), ...(after !== undefined && { after }) };
        return jsonList(await keys().list(caller!.tenant, page), keyJson);
      },
    },
    {
      method: 'POST',
      path: '/v1/admin/keys',
      access,
      operation,
      answersSecret: true,
      bodyLimit: BODY_LIMITS.fields,
      docs: {
        tag,
        operationId: 'createKey',
        summary: 'Create a key',
        description: `A key grants at most what it holds itself; otherwise 403. ${SECRET_NOTE}`,
        body: { schema: newKeySchema, example: { scopes: ['foods:read'], name: 'CI' } },
        answer: {
          status: 201,
          description: 'The key.',
          headers: ['Location'],
          schema: issuedKeySchema,
          example: EXAMPLE_ISSUED_KEY,
        },
      },
      handle: async ({ caller, body }, reply) => {
        const { scopes, name, expiresAt, limits } = readBody(newKeySchema, body);
        const issued = await keys().create(caller!.key, {
          scopes: [...new Set(scopes)],
          ...(name !== undefined && { name }),
          ...(expiresAt !== undefined && { expiresAt: readExpiry(expiresAt, nowMs()) }),
          ...(limits !== undefined && { limits: limits as Record<string, number> }),
        });
        reply.code(201).header('location', `/v1/admin/keys/${issued.key.id}`);
        return issuedKeyJson(issued);
      },
    },
    {
      method: 'GET',
      path: '/v1/admin/keys/:keyId',
      access,
      operation,
      docs: {
        tag,
        operationId: 'getKey',
        summary: 'Read a key',
        params,
        answer: { description: 'The key, without its text.', schema: keySchema, example: EXAMPLE_KEY },
        errors: ['not_found'],
      },
      handle: async ({ caller, params }) => keyJson(await keys().get(caller!.tenant, params['keyId']!)),
    },
    {
      method: 'DELETE',
      path: '/v1/admin/keys/:keyId',
      access,
      operation,
      docs: {
        tag,
        operationId: 'revokeKey',
        summary: 'Revoke a key; it and its tokens are refused within a second',
        params,
        answer: { status: 204, description: 'It is revoked.' },
        errors: ['not_found'],
      },
      handle: async ({ caller, params }, reply) => {
        await keys().revoke(caller!.tenant, params['keyId']!);
        return noContent(reply);
      },
    },
    {
      method: 'POST',
      path: '/v1/admin/keys/:keyId/rotate',
      access,
      operation,
      answersSecret: true,
      bodyLimit: BODY_LIMITS.fields,
      docs: {
        tag,
        operationId: 'rotateKey',
        summary: 'Create the successor of a key and revoke it, at once or after an overlap',
        description: `The caller has to hold everything that the key holds; otherwise 403. ${SECRET_NOTE}`,
        params,
        body: { schema: rotateKeySchema, example: { overlapSeconds: 86_400 }, optional: true },
        answer: {
          status: 201,
          description: 'The successor.',
          headers: ['Location'],
          schema: issuedKeySchema,
          example: EXAMPLE_ISSUED_KEY,
        },
        errors: ['not_found'],
      },
      handle: async ({ caller, params, body }, reply) => {
        const { overlapSeconds } = readBody(rotateKeySchema, body === undefined ? {} : body);
        const issued = await keys().rotate(caller!.key, params['keyId']!, overlapSeconds);
        reply.code(201).header('location', `/v1/admin/keys/${issued.key.id}`);
        return issuedKeyJson(issued);
      },
    },
  ];
}

function readExpiry(text: string, nowMs: number): number {
  const ms = Date.parse(text);
  if (ms > nowMs) return Math.floor(ms / 1000);
  throw new AppError({
    code: 'invalid_request',
    message: 'expiresAt has to lie ahead.',
    details: { fields: ['expiresAt'] },
  });
}
