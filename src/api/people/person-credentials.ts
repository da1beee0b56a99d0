import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import type { Creator } from '../../access/api-key.ts';
import { personAsCreator } from '../../access/creator.ts';
import type { TenantKeys } from '../../access/tenant-keys.ts';
import { FATES, type Household } from '../../people/household.ts';
import { ROLES } from '../../people/person.ts';
import type { Sessions } from '../../people/sessions.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { EXAMPLE_KEY, keyObject, keySchema } from '../access/key-json.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { webhookObject, webhookSchema } from '../webhooks/webhook-json.ts';
import {
  EXAMPLE_PERSON,
  invitationObject,
  invitationSchema,
  ofConfirmedSession,
  ofSession,
  personObject,
  personSchema,
  requireOwner,
  requireSession,
} from './person-json.ts';

const MAX_LISTED = 500;
const PATH = '/v1/people/:personId';
const params = z.object({ personId: z.string() });

interface Ports {
  readonly household: Household;
  readonly sessions: Sessions;
  readonly keys: TenantKeys;
  readonly webhooks: Webhooks;
  readonly nowMs: () => number;
}

export const listPersonCredentials = operation({
  ...ofSession,
  method: 'GET',
  path: `${PATH}/credentials`,
  id: 'listPersonCredentials',
  summary:
    'List what a person made for others, before removing the person or changing the role; for owners and the person',
  description: `What ends with the person, or is handed over: valid keys of tenants, webhooks, open invitations. At most ${MAX_LISTED} of each.`,
  params,
  answer: {
    description: 'What the person made, the oldest first.',
    schema: z
      .object({
        keys: z.array(keySchema),
        webhooks: z.array(webhookSchema),
        invitations: z.array(invitationSchema),
      })
      .meta({ id: 'PersonCredentials' }),
    example: { keys: [EXAMPLE_KEY], webhooks: [], invitations: [] },
  },
  errors: ['session_not_found', 'person_not_found'],
  handle: async ({ caller, params: { personId } }, ports: Ports) => {
    const { person } = await requireSession(caller, ports.sessions);
    if (person.id !== personId && person.role !== 'owner')
      throw new AppError({ code: 'forbidden', message: 'Only owners see what others made.' });
    const creator: Creator = personAsCreator(personId);
    const [keys, webhooks, invitations] = await Promise.all([
      ports.keys.madeBy(creator, MAX_LISTED),
      ports.webhooks.madeBy(creator, MAX_LISTED),
      ports.household.invitations(),
    ]);
    const nowSeconds = ports.nowMs() / 1000;
    const isLive = (end: number | undefined) => end === undefined || end > nowSeconds;
    return {
      value: {
        keys: keys.filter((key) => isLive(key.revokedAt) && isLive(key.expiresAt)).map(keyObject),
        webhooks: webhooks.map(webhookObject),
        invitations: invitations.filter(({ createdBy }) => createdBy === creator).map(invitationObject),
      },
    };
  },
});

export const changeRole = operation({
  ...ofConfirmedSession,
  method: 'PATCH',
  path: PATH,
  id: 'changeRole',
  summary: 'Make a person an owner, or an owner a member; for owners',
  description:
    'The last owner stays one. What somebody made as an owner ends when they become a member, or is handed over to the caller: see `GET …/credentials`. Own keys and the diary stay.',
  params,
  body: {
    schema: z
      .strictObject({
        role: z.enum(ROLES),
        credentials: z
          .enum(FATES)
          .default('end')
          .describe(
            'What becomes of the keys and webhooks of tenants that an owner made who becomes a member.',
          ),
      })
      .meta({ id: 'RolePatch' }),
    example: { role: 'member' },
    limit: BODY_LIMITS.fields,
  },
  answer: { description: 'The person.', schema: personSchema, example: EXAMPLE_PERSON },
  errors: ['session_not_found', 'person_not_found', 'confirmation_required'],
  handle: async ({ caller, params: { personId }, body }, { household, sessions }: Ports) => {
    const { person: changer, rights } = await requireOwner(caller, sessions);
    const person = await household.changeRole(changer, personId, body);
    const access = person.id === changer.id ? 'own' : (rights.get(person.id) ?? 'none');
    return { value: personObject(person, access) };
  },
});
