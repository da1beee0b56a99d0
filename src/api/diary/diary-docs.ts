import { z } from 'zod';
import { type DayRange, oneDay, parseDay, parseDayRange } from '../../diary/records/day.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';
import { isoTime } from '../fields.ts';
import { dateText, userIdText } from '../text-schemas.ts';

// Texts that the docs of several diary operations share.
export const DIARY_TAG = 'Diary (v1)';
export const diaryRead = { credential: 'bearer', scope: 'diary:read' } as const;
export const diaryWrite = { credential: 'bearer', scope: 'diary:write' } as const;
/** Operations on all data of a user are for the user alone, whoever else may read or write the diary. */
export const wholeDiaryRead = { ...diaryRead, alone: true } as const;
export const wholeDiaryWrite = { ...diaryWrite, alone: true } as const;

const userId = userIdText.describe(
  'The user, as the app names them; `me` is the user of a token, a session or an own key.',
);

export const userParams = z.object({ userId });
export const entryParams = z.object({ userId, entryId: z.string() });
const time = isoTime(Date.UTC(2026, 0, 31, 12, 30));

export const EXAMPLE_NEW_ENTRY = {
  date: '2026-01-31',
  mealType: 'lunch',
  foodName: 'Lentil soup',
  calories: 230.5,
  protein: 12.4,
  carbs: 31,
  fat: 5.2,
};

export const EXAMPLE_ENTRY = {
  id: '01KG9V4N00000000000000EXMP',
  version: 1,
  userId: 'user-1',
  ...EXAMPLE_NEW_ENTRY,
  addedMethod: 'manual',
  createdAt: time,
  updatedAt: time,
};

/** Reasons for rejecting a new entry. */
export const NEW_ENTRY_ERRORS = [
  'food_not_found',
  'barcode_not_found',
  'invalid_barcode',
  'recipe_not_found',
  'scan_job_not_found',
  'quota_exceeded',
] as const;

export const EXAMPLE_TOTALS = {
  calories: 230.5,
  protein: 12.4,
  carbs: 31,
  fat: 5.2,
  fiber: 0,
  sodium: 0,
  incomplete: ['fiber', 'sodium'],
};

export const rangeFields = {
  from: dateText.optional().describe('First day of a range.'),
  to: dateText.optional().describe('Last day of a range; at most 366 days.'),
};
export const daysFields = { date: dateText.optional().describe('One day.'), ...rangeFields };

interface RangeQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Undefined if both ends are missing. */
export function readRange({ from, to }: RangeQuery): DayRange | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) throw invalidField('from', '"to" needs "from".');
  if (to === undefined) throw invalidField('to', '"from" needs "to".');
  return parseDayRange(from, to);
}

/** One day (`date`) or several (`from` and `to`). */
export function readDays({ date, ...ends }: RangeQuery & { readonly date?: string | undefined }): {
  readonly range: DayRange;
  readonly single: boolean;
} {
  const range = readRange(ends);
  if (range === undefined) {
    if (date === undefined)
      throw invalidField('date', 'Say which day: ?date=YYYY-MM-DD, or ?from= and &to=.');
    return { range: oneDay(parseDay(date)), single: true };
  }
  if (date !== undefined) throw invalidField('date', 'Give either "date", or "from" and "to".');
  return { range, single: false };
}
