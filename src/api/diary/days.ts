import { z } from 'zod';
import { invalidQuery } from '../../base/list-request.ts';
import { hasAtMost } from '../../base/texts.ts';
import { RECORD_ID_FORM } from '../../base/time-ordered-id.ts';
import type { Diary } from '../../diary/diary.ts';
import { type EatenFood, MAX_ENTRIES_LOOKED_AT } from '../../diary/eaten-foods.ts';
import { AFTER_ALL_NOTES } from '../../diary/find-notes.ts';
import type { GoalBook } from '../../diary/goal-book.ts';
import { toAmountFields, toEntryAmounts } from '../../diary/records/amount-fields.ts';
import {
  type Day,
  type DayRange,
  oneDay,
  parseDay,
  parseDayRange,
  WHOLE_DIARY,
} from '../../diary/records/day.ts';
import {
  type DiaryOwner,
  MAIN_AMOUNTS,
  type MainAmount,
  MEAL_TYPES,
  type MealType,
} from '../../diary/records/entry.ts';
import { amountsOn, type Goals, goalsOn, remainingOf } from '../../diary/records/goals.ts';
import { type DayTotals, NO_SUMS, toSumFields } from '../../diary/records/totals.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { listAnswer } from '../answers.ts';
import { langQuery, langText } from '../foods/food-query.ts';
import { pageQueryOf, rankedPageOf, rankedQuery } from '../lists.ts';
import { nutrientFields } from '../nutrients.ts';
import { operation } from '../operation.ts';
import { dateText, flag } from '../text-schemas.ts';
import { diaryReading, EXAMPLE_TOTALS, rangeFields, userParams } from './diary-docs.ts';
import { mealType, realDate, sumsSchema } from './diary-fields-schema.ts';
import { eaten, withLocalNames } from './entry-json.ts';
import { goalAmounts } from './goals-json.ts';

const difference = z.number().optional();
const remaining = z
  .object({
    ...(Object.fromEntries(MAIN_AMOUNTS.map((key) => [key, difference])) as Record<
      MainAmount,
      typeof difference
    >),
    nutrients: z
      .object(nutrientFields((amount, of) => amount.describe(of).optional()))
      .meta({ id: 'RemainingNutrients' }),
  })
  .meta({ id: 'RemainingAmounts' });

const totalsSchema = sumsSchema
  .extend({
    entries: z
      .int()
      .min(0)
      .describe('How many entries the sums are of; the sums of a day without entries are 0.'),
    meals: z
      .object(
        Object.fromEntries(MEAL_TYPES.map((meal) => [meal, sumsSchema])) as Record<
          MealType,
          typeof sumsSchema
        >,
      )
      .meta({ id: 'MealSums' })
      .optional()
      .describe('With `by=meal`: the sums of each meal.'),
    goals: goalAmounts
      .optional()
      .describe('With `remaining=true`: the goals of the day, those of its weekday included.'),
    remaining: remaining
      .optional()
      .describe('With `remaining=true`: goals minus sums, below 0 when more was eaten.'),
  })
  .meta({ id: 'DailyTotals', description: 'Exact sums; unknown amounts of entries count as 0.' });

/** This schema has a name, because typescript-fetch imports a schema twice that occurs both alone and in a list. */
const datedTotalsSchema = totalsSchema
  .extend({
    date: realDate.describe('Day of the sums.'),
  })
  .meta({ id: 'DatedTotals', description: 'The sums of one day of a range.' });

const totalsFields = {
  remaining: flag('"remaining" must be true or false.')
    .default(false)
    .describe('Adds the goals of the day and what remains of them.')
    .meta({ default: false }),
  by: z.literal('meal', '"by" must be meal.').optional().describe('Adds the sums of each meal, in `meals`.'),
};

interface TotalsPorts {
  readonly diary: Diary;
  readonly goals: GoalBook;
}

const sharedOfTotals = {
  ...diaryReading,
  method: 'GET',
  params: userParams,
} as const;

export const sumDay = operation({
  ...sharedOfTotals,
  path: '/v1/users/:userId/diary/totals',
  id: 'getDiaryTotals',
  summary: 'Get the totals of a day',
  query: z.object({ ...totalsFields, date: dateText.describe('The day.') }),
  answer: { description: 'Exact sums.', schema: totalsSchema, example: { entries: 1, ...EXAMPLE_TOTALS } },
  handle: async (request, ports: TotalsPorts) => {
    const range = oneDay(parseDay(request.query.date));
    const [day] = await sumsOf(ownerOf(request), range, request.query, ports);
    return { value: day!.sums };
  },
});

export const sumDays = operation({
  ...sharedOfTotals,
  path: '/v1/users/:userId/diary/totals/days',
  id: 'listDailyTotals',
  summary: 'Get the totals of each day of a range',
  query: z.object({ ...totalsFields, ...rangeFields }),
  answer: {
    description: 'One object for each day of the range, the first day first.',
    schema: z.array(datedTotalsSchema),
    example: [{ date: '2026-01-31', entries: 1, ...EXAMPLE_TOTALS }],
  },
  handle: async (request, ports: TotalsPorts) => {
    const range = parseDayRange(request.query.from, request.query.to);
    const days = await sumsOf(ownerOf(request), range, request.query, ports);
    return { value: days.map(({ date, sums }) => ({ date, ...sums })) };
  },
});

async function sumsOf(
  owner: DiaryOwner,
  range: DayRange,
  { remaining, by }: z.output<z.ZodObject<typeof totalsFields>>,
  { diary, goals }: TotalsPorts,
) {
  const stated = remaining ? await goals.list(owner) : undefined;
  return (await diary.totals(owner, range, by)).map((day) => toAnswer(day, by, stated));
}

/** Goals are those that apply on the day; without goals the objects are empty. */
function toAnswer(day: DayTotals, by: 'meal' | undefined, stated: readonly Goals[] | undefined) {
  const { date, entries, totals, meals = {} } = day;
  const mealSums = MEAL_TYPES.map((meal) => [meal, toSumFields(meals[meal] ?? NO_SUMS)]);
  const sums = {
    entries,
    ...toSumFields(day),
    ...(by === 'meal' && { meals: Object.fromEntries(mealSums) }),
  };
  if (stated === undefined) return { date, sums };
  const amounts = amountsOn(goalsOn(stated, date), date);
  return {
    date,
    sums: {
      ...sums,
      goals: toAmountFields(amounts),
      remaining: toAmountFields(remainingOf(amounts, totals)),
    },
  };
}

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
  ...diaryReading,
  method: 'GET',
  path: '/v1/users/:userId/diary/notes',
  id: 'listDiaryNotes',
  summary: 'Search notes',
  description:
    'Notes on days and on entries, the newest first. A page may have fewer than `limit` while there are more: follow Link.',
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
  answer: listAnswer('The notes, with the address of the next page in Link.', noteSchema, {
    date: '2026-01-31',
    note: 'Birthday of Ann.',
  }),
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

const eatenFoodSchema = z
  .object({
    ...eaten,
    mealType,
    lastDate: realDate,
    timesEaten: z.int().describe('In the latest 2,000 entries.'),
  })
  .meta({ id: 'EatenFood', description: 'A food of the diary, as it was last eaten.' });

interface EatenFoodsPorts {
  readonly diary: Diary;
  readonly foods: FoodDirectory;
}

/** Declarations that both lists share. */
const sharedOfFoods = {
  ...diaryReading,
  method: 'GET',
  description: 'From the latest 2,000 entries, each food once, as it was last eaten.',
  params: userParams,
  query: rankedQuery(MAX_ENTRIES_LOOKED_AT).extend(langQuery.shape),
  answer: listAnswer('Best first, with the address of the next page in Link.', eatenFoodSchema),
} as const;

export const listRecentFoods = operation({
  ...sharedOfFoods,
  path: '/v1/users/:userId/foods/recent',
  id: 'listRecentFoods',
  summary: 'Foods eaten last',
  handle: async (request, ports: EatenFoodsPorts) =>
    eatenPage(request.query, await ports.diary.recentFoods(ownerOf(request)), ports),
});

export const listFrequentFoods = operation({
  ...sharedOfFoods,
  path: '/v1/users/:userId/foods/frequent',
  id: 'listFrequentFoods',
  summary: 'Foods eaten most often',
  handle: async (request, ports: EatenFoodsPorts) =>
    eatenPage(request.query, await ports.diary.frequentFoods(ownerOf(request)), ports),
});

function eatenPage(
  query: z.infer<(typeof sharedOfFoods)['query']>,
  found: readonly EatenFood[],
  { foods }: EatenFoodsPorts,
) {
  const inLanguages = withLocalNames(foods, query.lang);
  const toObject = (food: EatenFood) => inLanguages(eatenFoodObject(food));
  return rankedPageOf({ ...query, lang: langText(query.lang) }, found, toObject);
}

function eatenFoodObject({ last, timesEaten }: EatenFood) {
  const { foodName, amounts, foodId, barcode, recipeId, quantity, unit, mealType, date: lastDate } = last;
  const what = { foodName, ...toEntryAmounts(amounts), foodId, barcode, recipeId, quantity, unit };
  return { ...what, mealType, lastDate, timesEaten };
}
