import { z } from 'zod';
import { type DayRange, parseDayRange } from '../../diary/records/day.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';
import { isoTime } from '../fields.ts';
import { dateText, userIdText } from '../text-schemas.ts';

// Texts that the docs of several diary operations share.
export const DIARY_TAG = 'Diary';
export const diaryRead = { credential: 'bearer', scope: 'diary:read' } as const;
export const diaryWrite = { credential: 'bearer', scope: 'diary:write' } as const;
/** Declarations that operations which read a diary share, and those which write one. */
export const diaryReading = { tag: DIARY_TAG, access: diaryRead, counts: 'diaryRead' } as const;
export const diaryWriting = { tag: DIARY_TAG, access: diaryWrite, counts: 'diaryWrite' } as const;
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

const EXAMPLE_NUTRIENTS = { energy: 230.5, protein: 12.4, fat: 5.2, carbohydrates: 31 };

export const EXAMPLE_ENTRY = {
  id: '01KG9V4N00000000000000EXMP',
  version: 1,
  userId: 'user-1',
  ...EXAMPLE_NEW_ENTRY,
  nutrients: EXAMPLE_NUTRIENTS,
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
  'quota_exceeded',
] as const;

export const EXAMPLE_TOTALS = {
  calories: 230.5,
  protein: 12.4,
  carbs: 31,
  fat: 5.2,
  fiber: 0,
  sodium: 0,
  nutrients: EXAMPLE_NUTRIENTS,
  unknown: ['fiber', 'sodium'],
  statedBy: { fiber: 0, sodium: 0 },
};

const first = dateText.describe('First day of the range.');
const last = dateText.describe('Last day of the range; at most 366 days.');
export const rangeFields = { from: first, to: last };
/** A range that may be left out. */
export const optionalRangeFields = { from: first.optional(), to: last.optional() };

/** Undefined if both ends are missing. */
export function readRange({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): DayRange | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) throw invalidField('from', '"to" needs "from".');
  if (to === undefined) throw invalidField('to', '"from" needs "to".');
  return parseDayRange(from, to);
}
