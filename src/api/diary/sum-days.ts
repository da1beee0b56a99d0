import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import type { GoalBook } from '../../diary/goal-book.ts';
import { toAmountFields } from '../../diary/records/amount-fields.ts';
import { type DayRange, oneDay, parseDay, parseDayRange } from '../../diary/records/day.ts';
import {
  type DiaryOwner,
  MAIN_AMOUNTS,
  type MainAmount,
  MEAL_TYPES,
  type MealType,
} from '../../diary/records/entry.ts';
import { amountsOn, type Goals, goalsOn, remainingOf } from '../../diary/records/goals.ts';
import { type DayTotals, NO_SUMS, toSumFields } from '../../diary/records/totals.ts';
import { ownerOf } from '../acting-user.ts';
import { nutrientFields } from '../nutrients.ts';
import { operation } from '../operation.ts';
import { dateText, flag } from '../text-schemas.ts';
import { DIARY_TAG, diaryRead, EXAMPLE_TOTALS, rangeFields, userParams } from './diary-docs.ts';
import { realDate, sumsSchema } from './diary-fields-schema.ts';
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

const totalsFields = {
  remaining: flag('"remaining" must be true or false.')
    .default(false)
    .describe('Adds the goals of the day and what remains of them.')
    .meta({ default: false }),
  by: z.literal('meal', '"by" must be meal.').optional().describe('Adds the sums of each meal, in `meals`.'),
};

interface Ports {
  readonly diary: Diary;
  readonly goals: GoalBook;
}

const shared = {
  method: 'GET',
  tag: DIARY_TAG,
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
} as const;

export const sumDay = operation({
  ...shared,
  path: '/v1/users/:userId/diary/totals',
  id: 'getDiaryTotals',
  summary: 'Get the totals of a day',
  query: z.object({ ...totalsFields, date: dateText.describe('The day.') }),
  answer: { description: 'Exact sums.', schema: totalsSchema, example: EXAMPLE_TOTALS },
  handle: async (request, ports: Ports) => {
    const range = oneDay(parseDay(request.query.date));
    const [day] = await sumsOf(ownerOf(request), range, request.query, ports);
    return { value: day!.sums };
  },
});

export const sumDays = operation({
  ...shared,
  path: '/v1/users/:userId/diary/totals/days',
  id: 'listDailyTotals',
  summary: 'Get the totals of each day of a range',
  query: z.object({ ...totalsFields, ...rangeFields }),
  answer: {
    description: 'One object for each day of the range, the first day first.',
    schema: z.array(datedTotalsSchema),
    example: [{ date: '2026-01-31', entries: 1, ...EXAMPLE_TOTALS }],
  },
  handle: async (request, ports: Ports) => {
    const range = parseDayRange(request.query.from, request.query.to);
    const days = await sumsOf(ownerOf(request), range, request.query, ports);
    return { value: days.map(({ date, entries, sums }) => ({ date, entries, ...sums })) };
  },
});

async function sumsOf(
  owner: DiaryOwner,
  range: DayRange,
  { remaining, by }: z.output<z.ZodObject<typeof totalsFields>>,
  { diary, goals }: Ports,
) {
  const stated = remaining ? await goals.list(owner) : undefined;
  return (await diary.totals(owner, range, by)).map((day) => toAnswer(day, by, stated));
}

/** Goals are those that apply on the day; without goals the objects are empty. */
function toAnswer(day: DayTotals, by: 'meal' | undefined, stated: readonly Goals[] | undefined) {
  const { date, entries, totals, meals = {} } = day;
  const mealSums = MEAL_TYPES.map((meal) => [meal, toSumFields(meals[meal] ?? NO_SUMS)]);
  const sums = {
    ...toSumFields(day),
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
