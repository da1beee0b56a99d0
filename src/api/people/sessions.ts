import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import type { Confirmation } from '../../people/confirmation.ts';
import { siteAt } from '../../people/passkeys/passkeys.ts';
import type { People } from '../../people/people.ts';
import type { Sessions } from '../../people/sessions.ts';
import { listAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { isoTime } from '../fields.ts';
import { shortListQuery, shortPageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { readDeviceMark, readSessionCookie, sessionCookie } from '../session-cookie.ts';
import {
  EXAMPLE_PERSON,
  ofSession,
  ofVisitor,
  passkeyAnswer,
  password,
  personName,
  personObject,
  recoveryCode,
  requireSession,
  sessionAnswer,
  signedIn,
  signedInAnswer,
  signInHeaders,
} from './person-json.ts';

export const createSession = operation({
  ...ofVisitor,
  method: 'POST',
  path: '/v1/session',
  id: 'createSession',
  summary: 'Sign in',
  description:
    'The answer sets a cookie in place of the one that the browser had, whose session ends. Pages of this address can use it in place of a bearer in `/v1`. Ten sign-ins a minute for a name from one network, and a hundred from all; browsers in which the person has signed in before have ten of their own.',
  headers: signInHeaders,
  body: {
    schema: z
      .strictObject({
        name: personName,
        password: password
          .optional()
          .describe('Without it a recovery code signs in somebody who has no password.'),
        passkey: passkeyAnswer
          .optional()
          .describe('Asked for by 403 `confirmation_required`, where the person wants both.'),
        recoveryCode: recoveryCode.optional().describe('In place of the passkey; each counts once.'),
      })
      .meta({ id: 'SessionInput' }),
    example: { name: 'Ann', password: 'eggs and toast' },
    limit: BODY_LIMITS.fields,
  },
  answer: signedInAnswer,
  errors: ['forbidden', 'confirmation_required'],
  handle: async (request, { people, sessions }: { people: People; sessions: Sessions }) => {
    const { body, headers, address, cookies, baseUrl } = request;
    const mark = readDeviceMark(cookies, baseUrl);
    const found = await people.signIn({ ...body, address, mark, site: siteAt(baseUrl) });
    const { person, password } = found;
    const session = await sessions.open(person, {
      device: headers['User-Agent'],
      password,
      before: readSessionCookie(cookies, baseUrl),
    });
    request.identify(person.id);
    return signedIn(found, session, baseUrl);
  },
});

export const getSession = operation({
  ...ofSession,
  method: 'GET',
  path: '/v1/session',
  id: 'getSession',
  summary: 'Who is signed in',
  description: 'A session lasts 90 days; this renews it once a day, up to a year after the sign-in.',
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
      confirmation: { expiresAt: '2026-11-26T08:05:00.000Z', methods: ['password'] },
    },
    holdsSecret: true,
  },
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
          ...(reset && { reset: { createdAt: isoTime(reset.atMs), by: reset.by } }),
        },
        confirmation: {
          expiresAt: isoTime(session.provedAtMs + confirmation.maxAgeSeconds * 1000),
          methods: await confirmation.methodsOf(person),
        },
      }),
    };
  },
});

export const endSession = operation({
  ...ofSession,
  method: 'DELETE',
  path: '/v1/sessions/:sessionId',
  id: 'endSession',
  summary: 'End a session of the person, such as that of a lost device',
  description: 'It is refused within a second.',
  params: z.object({ sessionId: z.string() }),
  answer: { status: 204, description: 'The session has ended.' },
  handle: async ({ caller, params }, { sessions }: { sessions: Sessions }) => {
    const { person } = await requireSession(caller, sessions);
    await sessions.endById(person, params.sessionId);
    return undefined;
  },
});

const listedSession = z
  .object({
    id: z.string(),
    device: z.string().optional().describe('Browser and system, where they are known.'),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().describe('Exact to a day.'),
    current: z.boolean().describe('Whether this is the session of the request.'),
  })
  .meta({ id: 'ListedSession' });

export const listSessions = operation({
  ...ofSession,
  method: 'GET',
  path: '/v1/sessions',
  id: 'listSessions',
  summary: 'List the sessions of the person by device, those seen last first',
  query: shortListQuery,
  answer: listAnswer('All sessions that have not ended, at most 50.', listedSession, {
    id: '01KB0T2X5M0000Y3QH7D9WZ4RB',
    device: 'Firefox on Linux',
    createdAt: '2026-11-26T08:00:00.000Z',
    lastSeenAt: '2026-11-27T08:00:00.000Z',
    current: true,
  }),
  handle: async ({ caller, query }, { sessions }: { sessions: Sessions }) => {
    const own = await requireSession(caller, sessions);
    const found = await sessions.list(own, own.value);
    return shortPageOf(query, found, ({ id, device, createdAtMs, seenAtMs, isCurrent }) => ({
      id,
      device,
      createdAt: isoTime(createdAtMs),
      lastSeenAt: isoTime(seenAtMs),
      current: isCurrent,
    }));
  },
});

export const deleteSession = operation({
  ...ofSession,
  method: 'DELETE',
  path: '/v1/session',
  id: 'deleteSession',
  summary: 'Sign out; the session is refused within a second',
  answer: { status: 204, description: 'The session has ended.', headers: ['Set-Cookie', 'Clear-Site-Data'] },
  handle: async ({ caller, baseUrl }, { sessions }: { sessions: Sessions }) => {
    if (caller.session === undefined)
      throw new AppError({ code: 'session_not_found', message: 'This credential is not a session.' });
    await sessions.end(caller.session);
    return {
      headers: {
        'set-cookie': sessionCookie(baseUrl),
        // Not "storage": the page deletes what it keeps, but for writes that were never sent.
        'clear-site-data': '"cache"',
      },
    };
  },
});

export const confirmSession = operation({
  ...ofSession,
  method: 'POST',
  path: '/v1/session/confirm',
  id: 'confirmSession',
  summary: 'Prove again who one is, by the password',
  description:
    'What makes credentials or cannot be undone answers 403 `confirmation_required` to a session whose person has proved nothing for five minutes (`LARDER_REAUTH_SECONDS`). A sign-in counts. Ten tries a minute.',
  readsOnly: true,
  body: {
    schema: z.strictObject({ password }).meta({ id: 'SessionConfirmation' }),
    example: { password: 'eggs and toast' },
    limit: BODY_LIMITS.fields,
  },
  answer: { status: 204, description: 'The person has proved who they are.' },
  handle: async ({ caller, body }, { people, sessions }: { people: People; sessions: Sessions }) => {
    await people.confirm(await requireSession(caller, sessions), body.password);
  },
});
