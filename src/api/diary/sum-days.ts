import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import type { GoalBook } from '../../diary/goal-book.ts';
import { toAmountFields } from '../../diary/records/amount-fields.ts';
import { MAIN_AMOUNTS, type MainAmount, MEAL_TYPES, type MealType } from '../../diary/records/entry.ts';
import { amountsOn, type Goals, goalsOn, remainingOf } from '../../diary/records/goals.ts';
import { type DayTotals, NO_SUMS, toSumFields } from '../../diary/records/totals.ts';
import { ownerOf } from '../acting-user.ts';
import { includeNutrients, withNutrients } from '../nutrients.ts';
import { operation } from '../operation.ts';
import { flag } from '../text-schemas.ts';
import { DIARY_TAG, daysFields, diaryRead, EXAMPLE_TOTALS, readDays, userParams } from './diary-docs.ts';
import { nutrientFields, realDate, sumsSchema } from './diary-fields-schema.ts';
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
      .meta({ id: 'RemainingNutrients' })
      .optional(),
  })
  .meta({ id: 'RemainingAmounts' });

const totalsSchema = sumsSchema
  .extend({
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
    entries: z
      .int()
      .min(0)
      .describe('How many entries the sums are of; the sums of a day without entries are 0.'),
  })
  .meta({ id: 'DatedTotals', description: 'The sums of one day of a range.' });

const totalsQuery = z
  .object({
    ...daysFields,
    ...includeNutrients.shape,
    remaining: flag('"remaining" must be true or false.')
      .optional()
      .describe('Adds the goals of the day and what remains of them.'),
    by: z
      .literal('meal', '"by" must be meal.')
      .optional()
      .describe('Adds the sums of each meal, in `meals`.'),
  })
  .transform(({ remaining = false, by, include, ...days }) => ({
    ...readDays(days),
    remaining,
    by,
    include,
  }));

export const sumDays = operation({
  method: 'GET',
  path: '/v1/users/:userId/diary/totals',
  id: 'getDiaryTotals',
  tag: DIARY_TAG,
  summary: 'Get the totals of a day, or of each day of a range',
  description:
    'For `from` and `to` an array with one object a day, each with its `date` and the number of its `entries`.',
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
  query: totalsQuery,
  answer: {
    description: 'Exact sums.',
    schema: z.union([totalsSchema, z.array(datedTotalsSchema)]),
    example: EXAMPLE_TOTALS,
  },
  handle: async (request, { diary, goals }: { diary: Diary; goals: GoalBook }) => {
    const owner = ownerOf(request);
    const { range, single, remaining, by, include } = request.query;
    const stated = remaining ? await goals.list(owner) : undefined;
    const days = (await diary.totals(owner, range, by)).map((day) =>
      toAnswer(day, { by, stated, inWords: include === undefined ? (sums) => sums : withNutrients }),
    );
    return {
      value: single ? days[0]!.sums : days.map(({ date, entries, sums }) => ({ date, entries, ...sums })),
    };
  },
});

interface Asked {
  readonly by: 'meal' | undefined;
  readonly stated: readonly Goals[] | undefined;
  readonly inWords: (sums: ReturnType<typeof toSumFields>) => ReturnType<typeof toSumFields>;
}

/** Goals are those that apply on the day; without goals the objects are empty. */
function toAnswer(day: DayTotals, { by, stated, inWords }: Asked) {
  const { date, entries, totals, meals = {} } = day;
  const mealSums = MEAL_TYPES.map((meal) => [meal, inWords(toSumFields(meals[meal] ?? NO_SUMS))]);
  const sums = {
    ...inWords(toSumFields(day)),
    ...(by === 'meal' && { meals: Object.fromEntries(mealSums) }),
  };
  if (stated === undefined) return { date, entries, sums };
  const amounts = amountsOn(goalsOn(stated, date), date);
  return {
    date,
    entries,
    sums: {
      ...sums,
      goals: toAmountFields(amounts),
      remaining: toAmountFields(remainingOf(amounts, totals)),
    },
  };
}
