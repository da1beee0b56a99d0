import { z } from 'zod';
import { dateText, userIdText } from '../../openapi/text-schemas.ts';
import { isoTime } from '../fields.ts';

// What the docs of several diary routes share.
export const DIARY_TAG = 'Diary (v1)';
export const diaryRead = { credential: 'bearer', scope: 'diary:read' } as const;
export const diaryWrite = { credential: 'bearer', scope: 'diary:write' } as const;

const userId = userIdText.describe('The user, as the app names them.');
const date = dateText.optional().describe('One day.');
const from = dateText.optional().describe('First day of a range.');
const to = dateText.optional().describe('Last day of a range; at most 366 days.');

export const userParams = z.object({ userId });
export const entryParams = z.object({ userId, entryId: z.string() });
export const dayQuery = z.object({ date });
export const daysQuery = z.object({ date, from, to });
export const totalsQuery = z.object({
  date,
  from,
  to,
  remaining: z.boolean().optional().describe('Also answer the goals of the day and what remains of them.'),
});
export const exportQuery = z.object({ format: z.enum(['csv', 'json']).optional(), from, to });
const time = isoTime(Date.UTC(2026, 0, 31, 12, 30));

export const EXAMPLE_ENTRY = {
  id: '01KG9V4N00000000000000EXMP',
  userId: 'user-1',
  date: '2026-01-31',
  mealType: 'lunch',
  foodName: 'Lentil soup',
  calories: 230.5,
  protein: 12.4,
  carbs: 31,
  fat: 5.2,
  addedMethod: 'manual',
  createdAt: time,
  updatedAt: time,
};

export const EXAMPLE_NEW_ENTRY = {
  date: '2026-01-31',
  mealType: 'lunch',
  foodName: 'Lentil soup',
  calories: 230.5,
  protein: 12.4,
  carbs: 31,
  fat: 5.2,
};

export const EXAMPLE_TOTALS = { calories: 230.5, protein: 12.4, carbs: 31, fat: 5.2, fiber: 0, sodium: 0 };
