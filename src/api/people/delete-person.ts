import { z } from 'zod';
import { FATES, type Household } from '../../people/household.ts';
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
    'Owners remove anybody, others themselves; the last owner stays. Sessions and own keys end within a second, and so do keys and ' +
    'webhooks that the person made for tenants, see `GET …/credentials`. Entries, recipes, goals, ' +
    'scans and foods that are not shared are erased for good; shared foods stay with the household.',
  access: { credential: 'bearer', confirmed: true },
  counts: 'other',
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
