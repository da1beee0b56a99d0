import type { Confirmation } from '../../people/confirmation.ts';
import type { People } from '../../people/people.ts';
import type { Sessions } from '../../people/sessions.ts';
import { isoTime } from '../fields.ts';
import { operation } from '../operation.ts';
import { sessionCookie } from '../session-cookie.ts';
import { EXAMPLE_PERSON, personObject, requireSession, sessionAnswer } from './person-json.ts';

export const getSession = operation({
  method: 'GET',
  path: '/v1/session',
  id: 'getSession',
  tag: 'People (v1)',
  summary: 'Who is signed in',
  description: 'A session lasts 90 days; this renews it once a day, up to a year after the sign-in.',
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
      password: { isSet: true, maySetFirst: false },
      confirmation: { until: '2026-11-26T08:05:00.000Z', methods: ['password'] },
    },
    holdsSecret: true,
  },
  errors: ['session_not_found'],
  handle: async (
    { caller, baseUrl },
    {
      people,
      sessions,
      confirmation,
    }: {
      readonly people: People;
      readonly sessions: Sessions;
      readonly confirmation: Confirmation;
    },
  ) => {
    const found = await requireSession(caller, sessions);
    const { person, session, value } = found;
    const reset = await people.unseenResetOf(person);
    return {
      headers: { 'set-cookie': sessionCookie(baseUrl, value) },
      body: JSON.stringify({
        person: personObject(person),
        scopes: caller.scopes,
        session: {
          id: session.id,
          createdAt: isoTime(session.createdAtMs),
          expiresAt: isoTime(session.expiresAtMs),
        },
        password: {
          ...(await people.passwordOf(found)),
          ...(reset && { reset: { at: isoTime(reset.atMs), by: reset.by } }),
        },
        confirmation: {
          until: isoTime(session.provedAtMs + confirmation.maxAgeSeconds * 1000),
          methods: await confirmation.methodsOf(person),
        },
      }),
    };
  },
});
