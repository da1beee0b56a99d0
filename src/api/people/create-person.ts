import { z } from 'zod';
import type { People } from '../../people/people.ts';
import type { Sessions } from '../../people/sessions.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { readSessionCookie } from '../session-cookie.ts';
import {
  EXAMPLE_PERSON,
  linkText,
  newPassword,
  personAnswer,
  personName,
  signedIn,
  signInHeaders,
} from './person-json.ts';

export const createPerson = operation({
  method: 'POST',
  path: '/v1/people',
  id: 'createPerson',
  tag: 'People (v1)',
  summary: 'Join the household by a link, and sign in',
  description: 'The link can be used once. The service shows that of the first owner when it starts.',
  access: 'public',
  counts: 'other',
  ownPagesOnly: true,
  headers: signInHeaders,
  body: {
    schema: z
      .strictObject({
        link: linkText.describe('The text after `#link=` in the link.'),
        name: personName,
        password: newPassword,
      })
      .meta({ id: 'PersonInput' }),
    example: { link: 'Qm9uIGFwcGV0aXQsIGV2ZXJ5Ym9keSE…', name: 'Ann', password: 'eggs and toast' },
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
  errors: ['forbidden', 'link_not_found'],
  handle: async (request, { people, sessions }: { people: People; sessions: Sessions }) => {
    const { body, headers, cookies, baseUrl } = request;
    const joined = await people.join(body);
    request.identify(joined.person.id);
    const session = await sessions.open(joined.person, {
      device: headers['User-Agent'],
      before: readSessionCookie(cookies, baseUrl),
    });
    return signedIn(joined, session, baseUrl);
  },
});
