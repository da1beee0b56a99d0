import { z } from 'zod';
import type { Household } from '../../people/household.ts';
import type { Sessions } from '../../people/sessions.ts';
import { operation } from '../operation.ts';
import { requireSession } from './person-json.ts';

export const deletePerson = operation({
  method: 'DELETE',
  path: '/v1/people/:personId',
  id: 'deletePerson',
  tag: 'People (v1)',
  summary: 'Remove a person from the household, and erase the diary',
  description:
    'Owners remove anybody, others themselves; the last owner stays. Sessions end within a second. Entries, recipes, goals, ' +
    'scans and foods that are not shared are erased for good; shared foods stay with the household.',
  access: { credential: 'bearer' },
  counts: 'other',
  params: z.object({ personId: z.string() }),
  answer: { status: 204, description: 'The person is removed, and the data erased.' },
  errors: ['not_found'],
  handle: async (
    { caller, params },
    { household, sessions }: { readonly household: Household; readonly sessions: Sessions },
  ) => {
    const { person } = await requireSession(caller, sessions);
    await household.remove(person, params.personId);
    return undefined;
  },
});
