import { z } from 'zod';
import { creatorOf } from '../../access/creator.ts';
import type { Confirmation } from '../../people/confirmation.ts';
import type { Household } from '../../people/household.ts';
import { ROLES } from '../../people/person.ts';
import type { Sessions } from '../../people/sessions.ts';
import { listAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { shortListQuery, shortPageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import {
  invitationFields,
  invitationObject,
  invitationSchema,
  ofSession,
  requireOwner,
} from './person-json.ts';

interface Ports {
  readonly household: Household;
  readonly sessions: Sessions;
}

const PATH = '/v1/invitations';
const EXAMPLE = { id: '01KB0T2X5M0000Z7RX5J2P9VQA', role: 'member', expiresAt: '2026-12-03T08:00:00.000Z' };

export const createInvitation = operation({
  ...ofSession,
  method: 'POST',
  path: PATH,
  id: 'createInvitation',
  summary: 'Make a link by which one person can join; for owners',
  description:
    'The link is valid for 7 days and shown once. At most 20 are open at a time. One for an owner needs a recent proof.',
  body: {
    schema: z.strictObject({ role: z.enum(ROLES).default('member') }).meta({ id: 'InvitationInput' }),
    example: { role: 'member' },
    limit: BODY_LIMITS.fields,
    optional: true,
  },
  answer: {
    status: 201,
    description: 'The invitation with its link.',
    schema: z.object({ ...invitationFields, url: z.string() }).meta({ id: 'IssuedInvitation' }),
    example: { ...EXAMPLE, url: 'https://larder.example/welcome#link=Qm9uIGFwcGV0aXQsIGV2ZXJ5Ym9keSE…' },
    holdsSecret: true,
  },
  errors: ['session_not_found', 'quota_exceeded', 'confirmation_required'],
  handle: async (
    { caller, body, baseUrl },
    { household, sessions, confirmation }: Ports & { readonly confirmation: Confirmation },
  ) => {
    const owner = await requireOwner(caller, sessions);
    if (body.role === 'owner') await confirmation.requireRecent(owner);
    const { link, ...issued } = await household.invite(body.role, creatorOf(caller));
    return { value: { ...invitationObject(issued), url: `${baseUrl}/welcome#link=${link}` } };
  },
});

export const listInvitations = operation({
  ...ofSession,
  method: 'GET',
  path: PATH,
  id: 'listInvitations',
  summary: 'List the invitations that are open; for owners',
  query: shortListQuery,
  answer: listAnswer('The invitations without their links, the oldest first.', invitationSchema, EXAMPLE),
  handle: async ({ caller, query }, { household, sessions }: Ports) => {
    await requireOwner(caller, sessions);
    return shortPageOf(query, await household.invitations(), invitationObject);
  },
});

export const deleteInvitation = operation({
  ...ofSession,
  method: 'DELETE',
  path: `${PATH}/:invitationId`,
  id: 'deleteInvitation',
  summary: 'Take an invitation back; for owners',
  params: z.object({ invitationId: z.string() }),
  answer: { status: 204, description: 'Nobody can join by this link.' },
  errors: ['session_not_found', 'invitation_not_found'],
  handle: async ({ caller, params }, { household, sessions }: Ports) => {
    await requireOwner(caller, sessions);
    await household.uninvite(params.invitationId);
    return undefined;
  },
});
