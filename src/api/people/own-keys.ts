import { z } from 'zod';
import { OWN_KEY_SCOPES } from '../../access/api-key.ts';
import { MAX_OWN_KEYS, type OwnKeys } from '../../people/own-keys.ts';
import type { Sessions } from '../../people/sessions.ts';
import {
  EXAMPLE_KEY,
  expiryInput,
  issuedKeySchema,
  keyName,
  keyObject,
  keySchema,
  SECRET_NOTE,
  toExpiry,
} from '../access/key-json.ts';
import { requireScope } from '../acting-user.ts';
import { listAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { shortListQuery, shortPageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_PERSON, ofConfirmedSession, ofSession, requireSession } from './person-json.ts';

interface Ports {
  readonly ownKeys: OwnKeys;
  readonly sessions: Sessions;
}

const PATH = '/v1/people/me/keys';
const EXAMPLE = {
  ...EXAMPLE_KEY,
  userId: EXAMPLE_PERSON.id,
  name: 'Kitchen scale',
  scopes: ['foods:read', 'diary:read', 'diary:write'],
};

export const createOwnKey = operation({
  ...ofConfirmedSession,
  method: 'POST',
  path: PATH,
  id: 'createOwnKey',
  summary: 'Create a key for own apps, which acts for the person alone',
  description: `A person has at most ${MAX_OWN_KEYS} live keys. ${SECRET_NOTE}`,
  body: {
    schema: z
      .strictObject({
        scopes: z.array(z.enum(OWN_KEY_SCOPES)).min(1).max(OWN_KEY_SCOPES.length),
        name: keyName.optional(),
        expiresAt: expiryInput.optional().describe('Without it the key never expires.'),
      })
      .meta({ id: 'OwnKeyInput' }),
    example: { scopes: EXAMPLE.scopes, name: EXAMPLE.name },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The key.',
    schema: issuedKeySchema,
    example: { ...EXAMPLE, key: 'lrd_1xUf0O1ZNLc9…' },
    holdsSecret: true,
  },
  errors: ['session_not_found', 'quota_exceeded', 'confirmation_required'],
  handle: async (
    { caller, body: { scopes, name, expiresAt } },
    { ownKeys, sessions, nowMs }: Ports & { readonly nowMs: () => number },
  ) => {
    const { person } = await requireSession(caller, sessions);
    for (const scope of scopes) requireScope(caller, scope);
    const { key, text } = await ownKeys.create(person, {
      scopes: [...new Set(scopes)],
      ...(name !== undefined && { name }),
      ...(expiresAt !== undefined && { expiresAt: toExpiry(expiresAt, nowMs()) }),
    });
    return { value: { ...keyObject(key), key: text } };
  },
});

export const listOwnKeys = operation({
  ...ofSession,
  method: 'GET',
  path: PATH,
  id: 'listOwnKeys',
  summary: 'List the keys for own apps in the order of their creation',
  query: shortListQuery,
  answer: listAnswer(
    'The keys, without their texts. Of those that ended only the latest are kept.',
    keySchema,
    EXAMPLE,
  ),
  handle: async ({ caller, query }, { ownKeys, sessions }: Ports) => {
    const { person } = await requireSession(caller, sessions);
    return shortPageOf(query, await ownKeys.list(person), keyObject);
  },
});

export const revokeOwnKey = operation({
  ...ofSession,
  method: 'DELETE',
  path: `${PATH}/:ownKeyId`,
  id: 'revokeOwnKey',
  summary: 'Revoke a key for own apps; it is refused within a second',
  params: z.object({ ownKeyId: z.string().meta({ example: EXAMPLE.id }) }),
  answer: { status: 204, description: 'The key is revoked.' },
  errors: ['session_not_found', 'key_not_found'],
  handle: async ({ caller, params }, { ownKeys, sessions }: Ports) => {
    const { person } = await requireSession(caller, sessions);
    await ownKeys.revoke(person, params.ownKeyId);
  },
});
