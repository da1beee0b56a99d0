import { z } from 'zod';
import { siteAt } from '../../people/passkeys/passkeys.ts';
import type { People } from '../../people/people.ts';
import type { Sessions } from '../../people/sessions.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { readDeviceMark, readSessionCookie } from '../session-cookie.ts';
import {
  EXAMPLE_PERSON,
  passkeyAnswer,
  password,
  personAnswer,
  personName,
  recoveryCode,
  signedIn,
  signInHeaders,
} from './person-json.ts';

export const createSession = operation({
  method: 'POST',
  path: '/v1/session',
  id: 'createSession',
  tag: 'People (v1)',
  summary: 'Sign in',
  description:
    'The answer sets a cookie in place of the one that the browser had, whose session ends. Pages of this address can use it in place of a bearer in `/v1`. Ten sign-ins a minute for a name from one network, and a hundred from all; browsers in which the person has signed in before have ten of their own.',
  access: 'public',
  counts: 'other',
  ownPagesOnly: true,
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
  answer: {
    status: 201,
    description: 'The person, who is signed in.',
    headers: ['Set-Cookie'],
    schema: personAnswer,
    example: { person: EXAMPLE_PERSON },
    holdsSecret: true,
  },
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
