import { AppError } from '@larder/core/errors.ts';
import type { Sessions } from '../../people/sessions.ts';
import { operation } from '../operation.ts';
import { sessionCookie } from '../session-cookie.ts';
import { EXAMPLE_PERSON, personObject, sessionAnswer } from './person-json.ts';

export const getSession = operation({
  method: 'GET',
  path: '/v1/session',
  id: 'getSession',
  tag: 'People (v1)',
  summary: 'Who is signed in',
  description: 'A session lasts 90 days; this renews it once a day.',
  access: { credential: 'bearer' },
  counts: 'other',
  answer: {
    description: 'The person and the session.',
    headers: ['Set-Cookie'],
    schema: sessionAnswer,
    example: {
      person: EXAMPLE_PERSON,
      scopes: ['foods:read', 'foods:write', 'scan', 'diary:read', 'diary:write'],
      session: {
        id: '01KB0T2X5M0000Y3QH7D9WZ4RB',
        createdAt: '2026-11-26T08:00:00.000Z',
        expiresAt: '2027-02-24T08:00:00.000Z',
      },
    },
    holdsSecret: true,
  },
  errors: ['not_found'],
  handle: async ({ caller, baseUrl }, { sessions }: { sessions: Sessions }) => {
    const found = caller.session === undefined ? undefined : await sessions.get(caller.session);
    if (found === undefined)
      throw new AppError({ code: 'not_found', message: 'This credential is not a session.' });
    const { person, session } = found;
    return {
      headers: { 'set-cookie': sessionCookie(baseUrl, caller.session) },
      body: JSON.stringify({
        person: personObject(person),
        scopes: caller.scopes,
        session: {
          id: session.id,
          createdAt: new Date(session.createdAtMs).toISOString(),
          expiresAt: new Date(session.expiresAtMs).toISOString(),
        },
      }),
    };
  },
});
