import { z } from 'zod';
import type { People } from '../../people/people.ts';
import type { Sessions } from '../../people/sessions.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { password, requireSession } from './person-json.ts';

export const confirmSession = operation({
  method: 'POST',
  path: '/v1/session/confirm',
  id: 'confirmSession',
  tag: 'People (v1)',
  summary: 'Prove again who one is, by the password',
  description:
    'What makes credentials or cannot be undone answers 403 `confirmation_required` to a session whose person has proved nothing for five minutes (`LARDER_REAUTH_SECONDS`). A sign-in counts. Ten tries a minute.',
  access: { credential: 'bearer' },
  counts: 'other',
  readsOnly: true,
  body: {
    schema: z.strictObject({ password }).meta({ id: 'SessionConfirmation' }),
    example: { password: 'eggs and toast' },
    limit: BODY_LIMITS.fields,
  },
  answer: { status: 204, description: 'The person has proved who they are.' },
  errors: ['session_not_found'],
  handle: async ({ caller, body }, { people, sessions }: { people: People; sessions: Sessions }) => {
    await people.confirm(await requireSession(caller, sessions), body.password);
  },
});
