import { z } from 'zod';
import type { People } from '../../people/people.ts';
import type { Sessions } from '../../people/sessions.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { deviceHeader, EXAMPLE_PERSON, password, personAnswer, personName, signedIn } from './person-json.ts';

export const createSession = operation({
  method: 'POST',
  path: '/v1/session',
  id: 'createSession',
  tag: 'People (v1)',
  summary: 'Sign in',
  description:
    'The answer sets a cookie, which pages of this address can use in place of a bearer in `/v1`. Ten sign-ins a minute for each name.',
  access: 'public',
  counts: 'other',
  ownPagesOnly: true,
  headers: deviceHeader,
  body: {
    schema: z.strictObject({ name: personName, password }).meta({ id: 'SessionInput' }),
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
  errors: ['forbidden'],
  handle: async (
    { body, headers, baseUrl },
    { people, sessions }: { people: People; sessions: Sessions },
  ) => {
    const { person, password } = await people.signIn(body.name, body.password);
    const session = await sessions.open(person, { device: headers['User-Agent'], password });
    return signedIn(person, session, baseUrl);
  },
});
