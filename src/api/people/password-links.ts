import { z } from 'zod';
import { creatorOf } from '../../access/creator.ts';
import type { People } from '../../people/people.ts';
import type { Sessions } from '../../people/sessions.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { isoTime } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  linkText,
  newPassword,
  ofConfirmedSession,
  ofSession,
  ofVisitor,
  requireOwner,
  requireSession,
} from './person-json.ts';

interface Ports {
  readonly people: People;
  readonly sessions: Sessions;
}

export const createPasswordLink = operation({
  ...ofConfirmedSession,
  method: 'POST',
  path: '/v1/people/:personId/password-link',
  id: 'createPasswordLink',
  summary: 'Make a link by which a member who forgot the password sets a new one; for owners',
  description:
    'The link is valid for a day, can be used once and is shown once; a new one ends an earlier one. Owners, and people without a password, get none.',
  params: z.object({ personId: z.string() }),
  answer: {
    status: 201,
    description: 'The link.',
    schema: z.object({ url: z.string(), expiresAt: z.iso.datetime() }).meta({ id: 'PasswordLink' }),
    example: {
      url: 'https://larder.example/welcome#reset=Qm9uIGFwcGV0aXQsIGV2ZXJ5Ym9keSE…',
      expiresAt: '2026-12-03T08:00:00.000Z',
    },
    holdsSecret: true,
  },
  errors: ['session_not_found', 'person_not_found', 'confirmation_required'],
  handle: async ({ caller, params: { personId }, baseUrl }, { people, sessions }: Ports) => {
    await requireOwner(caller, sessions);
    const { link, untilMs } = await people.makeReset(personId, creatorOf(caller));
    return { value: { url: `${baseUrl}/welcome#reset=${link}`, expiresAt: isoTime(untilMs) } };
  },
});

export const resetPassword = operation({
  ...ofVisitor,
  method: 'POST',
  path: '/v1/people/password',
  id: 'resetPassword',
  summary: 'Set a new password by a link; all sessions of the person end within a second',
  description:
    'The person signs in afterwards, and is told who made the link. Keys and accounts elsewhere stay.',
  body: {
    schema: z
      .strictObject({
        link: linkText.describe('The text after `#reset=` in the link.'),
        password: newPassword,
      })
      .meta({ id: 'PasswordResetInput' }),
    example: { link: 'Qm9uIGFwcGV0aXQsIGV2ZXJ5Ym9keSE…', password: 'porridge with plums' },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    description: 'The name to sign in with.',
    schema: z.object({ name: z.string() }).meta({ id: 'ResetName' }),
    example: { name: 'Bob' },
  },
  errors: ['forbidden', 'link_not_found'],
  handle: async (request, { people }: Pick<Ports, 'people'>) => {
    const person = await people.reset(request.body);
    request.identify(person.id);
    return { value: { name: person.name } };
  },
});

export const notePasswordReset = operation({
  ...ofSession,
  method: 'DELETE',
  path: '/v1/people/me/password/reset',
  id: 'notePasswordReset',
  summary: 'Note that the person has seen that the password was set by a link',
  answer: { status: 204, description: '`GET /v1/session` tells it no more.' },
  handle: async ({ caller }, { people, sessions }: Ports) => {
    await people.noteResetSeen((await requireSession(caller, sessions)).person);
    return undefined;
  },
});
