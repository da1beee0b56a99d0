import { z } from 'zod';
import { invalidQuery } from '../../base/list-request.ts';
import { hasAtMost } from '../../base/texts.ts';
import { RECORD_ID_FORM } from '../../base/time-ordered-id.ts';
import type { Diary } from '../../diary/diary.ts';
import { AFTER_ALL_NOTES } from '../../diary/find-notes.ts';
import { type Day, parseDay, WHOLE_DIARY } from '../../diary/records/day.ts';
import { ownerOf } from '../acting-user.ts';
import { pageQueryOf } from '../list-queries.ts';
import { operation } from '../operation.ts';
import { dateText } from '../text-schemas.ts';
import { DIARY_TAG, diaryRead, userParams } from './diary-docs.ts';
import { mealType, realDate } from './diary-fields-schema.ts';

const MAX_QUERY = 200;

const noteSchema = z
  .object({
    date: realDate,
    note: z.string(),
    entryId: z.string().optional().describe('The entry that it is on; absent for a note on the day.'),
    foodName: z.string().optional().describe('Of the entry.'),
    mealType: mealType.optional().describe('Of the entry.'),
  })
  .meta({ id: 'DiaryNote' });

export const listNotes = operation({
  method: 'GET',
  path: '/v1/users/:userId/diary/notes',
  id: 'listDiaryNotes',
  tag: DIARY_TAG,
  summary: 'Search notes',
  description:
    'Notes on days and on entries, the newest first. A page may have fewer than `limit` while there are more: follow Link.',
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
  query: pageQueryOf(`\\d{4}-\\d{2}-\\d{2}\\.(?:${RECORD_ID_FORM})?`).extend({
    q: z
      .string()
      .optional()
      .describe('Words that the note or the name of its food contains, whatever their case and accents.')
      .meta({ maxLength: MAX_QUERY, example: 'birthday' })
      .transform(parseWords),
    from: dateText.optional().describe('First day.'),
    to: dateText.optional().describe('Last day.'),
  }),
  answer: {
    description: 'The notes, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(noteSchema),
    example: [{ date: '2026-01-31', note: 'Birthday of Ann.' }],
  },
  handle: async (request, { diary }: { diary: Diary }) => {
    const { after, limit, q, from, to } = request.query;
    const [date, id = ''] = after.split('.');
    const { notes, next } = await diary.findNotes(ownerOf(request), {
      query: q,
      range: {
        from: from === undefined ? WHOLE_DIARY.from : parseDay(from, 'from'),
        to: to === undefined ? WHOLE_DIARY.to : parseDay(to, 'to'),
      },
      before: after === '' ? AFTER_ALL_NOTES : { date: date as Day, id },
      limit,
    });
    return {
      value: notes.map(({ id: entryId, ...note }) => ({ ...note, ...(entryId !== '' && { entryId }) })),
      next: next && { q: q === '' ? undefined : q, from, to, limit, after: `${next.date}.${next.id}` },
    };
  },
});

function parseWords(q = ''): string {
  const words = q.trim();
  if (hasAtMost(words, MAX_QUERY)) return words;
  throw invalidQuery('q', `"q" can have at most ${MAX_QUERY} characters.`, MAX_QUERY);
}
