import { z } from 'zod';
import type { Household } from '../../people/household.ts';
import type { Sessions } from '../../people/sessions.ts';
import { shortListQuery } from '../list-queries.ts';
import { rankedPageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_PERSON, personObject, personSchema, requireSession } from './person-json.ts';

export const listPeople = operation({
  method: 'GET',
  path: '/v1/people',
  id: 'listPeople',
  tag: 'People (v1)',
  summary: 'List the people of the household in the order in which they joined',
  description: '`access` says what the caller may do with the diary at `/v1/users/{id}`.',
  access: { credential: 'bearer' },
  counts: 'other',
  query: shortListQuery,
  answer: {
    headers: ['Link'],
    description: 'All people, at most 100.',
    schema: z.array(personSchema),
    example: [EXAMPLE_PERSON],
  },
  errors: ['session_not_found'],
  handle: async (
    { caller, query },
    { household, sessions }: { readonly household: Household; readonly sessions: Sessions },
  ) => {
    const { person: own, rights } = await requireSession(caller, sessions);
    const people = await household.people();
    const accessTo = (id: string) => (id === own.id ? 'own' : (rights.get(id) ?? 'none'));
    return rankedPageOf(query, people, (person) => personObject(person, accessTo(person.id)));
  },
});
