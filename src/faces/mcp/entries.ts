import { type AnyNutrientKey, NUTRIENT_KEYS, REGISTRY } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import { sumDay } from '../../api/diary/days.ts';
import { listEntriesOfRange } from '../../api/diary/entries.ts';
import type { entryObject } from '../../api/diary/entry-json.ts';
import type { KnownNutrients } from '../../api/nutrients.ts';
import type { Day } from '../../diary/records/day.ts';
import { AMOUNT_OF, type AmountKey, isMainAmount, MEAL_TYPES } from '../../diary/records/entry.ts';
import { nutrients, rounded, sumLine, toSumLine } from './amounts.ts';
import { answered, ask, ofUser, type ToolContext } from './tool.ts';

export const mealTypeInput = z.enum(MEAL_TYPES);

/** Fields of an entry in answers of tools. */
export const entryResult = z.object({
  entryId: z.string(),
  version: z.int(),
  date: z.string(),
  mealType: z.string(),
  foodName: z.string(),
  foodId: z.string().optional(),
  recipeId: z.string().optional(),
  quantity: z.number().optional(),
  unit: z.string().optional(),
  nutrients,
  note: z.string().optional(),
});

export type EntryObject = ReturnType<typeof entryObject>;

export function entryOf(
  entry: EntryObject,
  keys: readonly AnyNutrientKey[] = NUTRIENT_KEYS,
): z.infer<typeof entryResult> {
  const { id, version, date, mealType, foodName, foodId, recipeId, quantity, unit, note } = entry;
  const named = { entryId: id, version, date, mealType, foodName, foodId, recipeId, quantity, unit };
  return { ...named, nutrients: rounded(entry.nutrients, keys), note };
}

export const dayTotals = z
  .array(sumLine)
  .describe('The sums of the day against its goals, one line for each nutrient.');

interface Totals {
  readonly nutrients: KnownNutrients;
  readonly unknown?: readonly AmountKey[];
  readonly goals?: { readonly nutrients?: KnownNutrients };
  readonly remaining?: { readonly nutrients?: KnownNutrients };
}

/** Maximum entries in a response: a day may have thousands; more are neither shown nor counted. */
const MAX_READ = 100;

export interface DaySoFar {
  /** The first ones. */
  readonly entries: readonly EntryObject[];
  readonly hasMore: boolean;
  readonly totals: z.infer<typeof dayTotals>;
}

/** The entries of a day and its exact sums, each with how many entries state it. */
export async function readDay(
  context: ToolContext,
  date: Day,
  keys: readonly AnyNutrientKey[] = NUTRIENT_KEYS,
): Promise<DaySoFar> {
  const params = ofUser(context);
  const [page, totals] = await Promise.all([
    context.call(listEntriesOfRange, { params, query: { from: date, to: date, limit: MAX_READ } }),
    ask<Totals>(context, sumDay, { params, query: { date, remaining: 'true' } }),
  ]);
  const entries = answered<EntryObject[]>(page);
  const hasMore = page.headers['link'] !== undefined;
  return { entries, hasMore, totals: totalLines(entries, hasMore, totals, keys) };
}

/** The write has succeeded when this fails, so the answer then only says why the day is missing. */
export async function dayAfterWrite(
  context: ToolContext,
  date: Day,
): Promise<{ readonly totals?: z.infer<typeof dayTotals>; readonly totalsMissing?: string }> {
  try {
    return { totals: (await readDay(context, date)).totals };
  } catch (error) {
    return { totalsMissing: (error as Error).message };
  }
}

export const dayAfterFields = {
  totals: dayTotals.optional(),
  totalsMissing: z.string().optional().describe('Why the totals could not be read; the write is done.'),
};

function totalLines(
  entries: readonly EntryObject[],
  hasMore: boolean,
  day: Totals,
  shown: readonly AnyNutrientKey[],
): z.infer<typeof dayTotals> {
  const {
    nutrients: sums,
    goals: { nutrients: goals = {} } = {},
    remaining: { nutrients: left = {} } = {},
  } = day;
  const keys = REGISTRY.filter(({ key }) => {
    const isStated = isMainAmount(AMOUNT_OF[key]) ? entries.length > 0 : sums[key] !== undefined;
    return goals[key] !== undefined || (shown.includes(key) && isStated);
  });
  return keys.map(({ key }) => {
    const statedBy = entries.filter((entry) => entry.nutrients[key] !== undefined).length;
    const goal = goals[key] === undefined ? {} : { goal: goals[key], left: left[key] };
    const facts = { amount: sums[key] ?? 0, ...goal };
    return hasMore
      ? toSumLine(key, facts, day.unknown?.includes(AMOUNT_OF[key]) === true)
      : toSumLine(key, { ...facts, statedBy, foods: entries.length });
  });
}
