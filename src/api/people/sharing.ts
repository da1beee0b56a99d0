import { z } from 'zod';
import type { Household } from '../../people/household.ts';
import type { Sharing } from '../../people/household-store.ts';
import { ACCESS } from '../../people/person.ts';
import type { Sessions } from '../../people/sessions.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { ofSession, requireSession } from './person-json.ts';

interface Ports {
  readonly household: Household;
  readonly sessions: Sessions;
}

const PATH = '/v1/people/me/sharing';
const MAX_ID_LENGTH = 128;
/** Has a name, because a type that is named by the field `default` does not compile in Rust. */
const diaryAccess = z.enum(ACCESS).meta({ id: 'DiaryAccess' });
const fields = {
  default: diaryAccess.describe('What everybody else of the household may do with the own diary.'),
  people: z
    .record(z.string().max(MAX_ID_LENGTH), diaryAccess)
    .describe('What single people may do instead, by their ids.'),
};
const description = '`write` includes reading.';
const sharingSchema = z.object(fields).meta({ id: 'Sharing', description });
const sharingInput = z.strictObject(fields).meta({ id: 'SharingInput', description });
const EXAMPLE = { default: 'read', people: { '01KB0T2X5M0000A2DQ8XK4WZ7M': 'write' } };

export const getSharing = operation({
  ...ofSession,
  method: 'GET',
  path: PATH,
  id: 'getSharing',
  summary: 'Who may see and write the own diary',
  answer: { description: 'Whom the diary is shared with.', schema: sharingSchema, example: EXAMPLE },
  handle: async ({ caller }, { household, sessions }: Ports) => {
    const { person } = await requireSession(caller, sessions);
    return { value: sharingObject(await household.sharingOf(person)) };
  },
});

export const putSharing = operation({
  ...ofSession,
  method: 'PUT',
  path: PATH,
  id: 'putSharing',
  summary: 'Decide who may see and write the own diary',
  description: 'Replaces all that was said before; it counts within a second.',
  body: { schema: sharingInput, example: { default: 'read', people: {} }, limit: BODY_LIMITS.fields },
  answer: { description: 'Whom the diary is shared with.', schema: sharingSchema, example: EXAMPLE },
  handle: async ({ caller, body }, { household, sessions }: Ports) => {
    const { person } = await requireSession(caller, sessions);
    const people = new Map(Object.entries(body.people));
    return { value: sharingObject(await household.share(person, { general: body.default, people })) };
  },
});

function sharingObject({ general, people }: Sharing) {
  return { default: general, people: Object.fromEntries(people) };
}
