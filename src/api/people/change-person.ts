import { z } from 'zod';
import type { People } from '../../people/people.ts';
import type { Sessions } from '../../people/sessions.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_PERSON, personAnswer, personName, personObject, requireSession } from './person-json.ts';

export const changePerson = operation({
  method: 'PATCH',
  path: '/v1/people/me',
  id: 'changePerson',
  tag: 'People (v1)',
  summary: 'Change the own name',
  access: { credential: 'bearer' },
  counts: 'other',
  body: {
    schema: z.strictObject({ name: personName }).meta({ id: 'PersonPatch' }),
    example: { name: 'Ann' },
    limit: BODY_LIMITS.fields,
  },
  answer: { description: 'The person.', schema: personAnswer, example: { person: EXAMPLE_PERSON } },
  errors: ['session_not_found'],
  handle: async ({ caller, body }, { people, sessions }: { people: People; sessions: Sessions }) => {
    const { person } = await requireSession(caller, sessions);
    return { value: { person: personObject(await people.rename(person, body.name)) } };
  },
});
