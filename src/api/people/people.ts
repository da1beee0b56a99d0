import { z } from 'zod';
import { FATES, type Household } from '../../people/household.ts';
import type { People } from '../../people/people.ts';
import type { Sessions } from '../../people/sessions.ts';
import { listAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { shortListQuery, shortPageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { deviceCookie, readSessionCookie } from '../session-cookie.ts';
import {
  EXAMPLE_PERSON,
  linkText,
  newPassword,
  ofConfirmedSession,
  ofSession,
  ofVisitor,
  password,
  personName,
  personObject,
  personSchema,
  requireSession,
  signedIn,
  signedInAnswer,
  signInHeaders,
} from './person-json.ts';

export const listPeople = operation({
  ...ofSession,
  method: 'GET',
  path: '/v1/people',
  id: 'listPeople',
  summary: 'List the people of the household in the order in which they joined',
  description: '`access` says what the caller may do with the diary at `/v1/users/{id}`.',
  query: shortListQuery,
  answer: listAnswer('All people, at most 100.', personSchema, EXAMPLE_PERSON),
  handle: async (
    { caller, query },
    { household, sessions }: { readonly household: Household; readonly sessions: Sessions },
  ) => {
    const { person: own, rights } = await requireSession(caller, sessions);
    const people = await household.people();
    const accessTo = (id: string) => (id === own.id ? 'own' : (rights.get(id) ?? 'none'));
    return shortPageOf(query, people, (person) => personObject(person, accessTo(person.id)));
  },
});

export const createPerson = operation({
  ...ofVisitor,
  method: 'POST',
  path: '/v1/people',
  id: 'createPerson',
  summary: 'Join the household by a link, and sign in',
  description: 'The link can be used once. The service shows that of the first owner when it starts.',
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
  answer: signedInAnswer,
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

export const changePerson = operation({
  ...ofSession,
  method: 'PATCH',
  path: '/v1/people/me',
  id: 'changePerson',
  summary: 'Change the own name',
  body: {
    schema: z.strictObject({ name: personName }).meta({ id: 'PersonPatch' }),
    example: { name: 'Ann' },
    limit: BODY_LIMITS.fields,
  },
  answer: { description: 'The person.', schema: personSchema, example: EXAMPLE_PERSON },
  handle: async ({ caller, body }, { people, sessions }: { people: People; sessions: Sessions }) => {
    const { person } = await requireSession(caller, sessions);
    return { value: personObject(await people.rename(person, body.name)) };
  },
});

export const deletePerson = operation({
  ...ofConfirmedSession,
  method: 'DELETE',
  path: '/v1/people/:personId',
  id: 'deletePerson',
  summary: 'Remove a person from the household, and erase the diary',
  description:
    'Owners remove anybody, others themselves; the last owner stays. Sessions and own keys end within a second, and so do keys and ' +
    'webhooks that the person made for tenants, see `GET …/credentials`. Entries, recipes, goals, ' +
    'scans and foods that are not shared are erased for good; shared foods stay with the household.',
  params: z.object({ personId: z.string() }),
  query: z.object({
    credentials: z
      .enum(FATES)
      .default('end')
      .describe(
        'What becomes of the keys and webhooks of tenants that the person made: they end, or the caller becomes their creator.',
      ),
  }),
  answer: { status: 204, description: 'The person is removed, and the data erased.' },
  errors: ['session_not_found', 'person_not_found', 'confirmation_required'],
  handle: async (
    { caller, params, query },
    { household, sessions }: { readonly household: Household; readonly sessions: Sessions },
  ) => {
    const { person } = await requireSession(caller, sessions);
    await household.remove(person, params.personId, query.credentials);
    return undefined;
  },
});

export const changePassword = operation({
  ...ofSession,
  method: 'PUT',
  path: '/v1/people/me/password',
  id: 'changePassword',
  summary: 'Change the own password, or set the first one; all other sessions end within a second',
  description:
    'Ten tries a minute. Whoever joined by OpenID has no password and sets the first one without `current`, with a recent proof.',
  body: {
    schema: z
      .strictObject({
        current: password.optional(),
        new: newPassword,
        endKeys: z
          .boolean()
          .default(false)
          .describe('True revokes the own keys, and keys and webhooks of tenants that the person made.'),
        unlink: z
          .boolean()
          .default(false)
          .describe('True ends the sign-in by accounts elsewhere, and the sessions that began with one.'),
        endPasskeys: z.boolean().default(false).describe('True removes passkeys and recovery codes.'),
      })
      .meta({ id: 'PasswordChange' }),
    example: { current: 'eggs and toast', new: 'porridge with plums' },
    limit: BODY_LIMITS.fields,
  },
  answer: { status: 204, description: 'The password is changed.', headers: ['Set-Cookie'] },
  errors: ['session_not_found', 'confirmation_required'],
  handle: async ({ caller, body, baseUrl }, { people, sessions }: { people: People; sessions: Sessions }) => {
    const changed = await people.changePassword(await requireSession(caller, sessions), body);
    return { headers: { 'set-cookie': deviceCookie(baseUrl, changed) } };
  },
});
