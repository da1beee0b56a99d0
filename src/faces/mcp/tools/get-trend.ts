import type { AnyNutrientKey } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import { sumDays } from '../../../api/diary/days.ts';
import type { KnownNutrients } from '../../../api/nutrients.ts';
import { type AmountKey, NUTRIENT_OF } from '../../../diary/records/entry.ts';
import { furtherInput, nutrients, nutrientsWith, rounded } from '../amounts.ts';
import { dateInput, daysBefore, timeZoneInput, understandDay, understoodDay } from '../days.ts';
import { ask, ofUser, READS, tool } from '../tool.ts';

/** A quarter of a year: more would fill the context of a model. */
const MAX_DAYS = 92;
const USUAL_DAYS = 7;

interface DatedSums {
  readonly date: string;
  readonly entries: number;
  readonly nutrients: KnownNutrients;
  readonly unknown?: readonly AmountKey[];
}

export const getTrendTool = tool({
  name: 'get_trend',
  title: 'Read several days',
  description: `The sums of each of up to ${MAX_DAYS} days, and their averages over the days with entries.`,
  scope: 'diary:read',
  user: 'required',
  annotations: READS,
  input: z.strictObject({
    to: dateInput.describe('Last day: YYYY-MM-DD, "today" or "yesterday". Default: today.'),
    days: z.int().min(1).max(MAX_DAYS).default(USUAL_DAYS).describe('How many days up to it.'),
    timeZone: timeZoneInput,
    further: furtherInput,
  }),
  output: z.object({
    from: z.string(),
    to: understoodDay,
    days: z.array(
      z.object({
        date: z.string(),
        entries: z.union([z.int(), z.literal('no entries')]).describe('How many entries the day has.'),
        nutrients: nutrients.optional().describe('Absent for a day without entries.'),
        unknown: z
          .array(z.string())
          .optional()
          .describe('Nutrients whose sum is too low, since not all foods of the day state them.'),
      }),
    ),
    daysWithEntries: z.int(),
    averages: nutrients.describe('Averages of the days with entries.'),
    unknown: z.array(z.string()).optional().describe('Nutrients whose average is too low.'),
  }),
  async run({ to: given, days: count, further }, context) {
    const keys = nutrientsWith(further);
    const to = understandDay(given, context, 'to');
    const from = daysBefore(to.date, count - 1);
    const sums = await ask<DatedSums[]>(context, sumDays, {
      params: ofUser(context),
      query: { from, to: to.date },
    });
    const logged = sums.filter(({ entries }) => entries > 0);
    const averages = keys.flatMap((key) => {
      const stated = logged.flatMap((day) => day.nutrients[key] ?? []);
      return stated.length === 0
        ? []
        : [[key, stated.reduce((sum, one) => sum + one, 0) / logged.length] as const];
    });
    const low = averages
      .filter(([key]) =>
        logged.some((day) => day.nutrients[key] === undefined || lowOf(day, keys).includes(key)),
      )
      .map(([key]) => key);
    const days = sums.map((day) => {
      const { date, entries } = day;
      if (entries === 0) return { date, entries: 'no entries' as const };
      const unknown = lowOf(day, keys);
      return {
        date,
        entries,
        nutrients: rounded(day.nutrients, keys),
        ...(unknown.length > 0 && { unknown }),
      };
    });
    return {
      from,
      to,
      days,
      daysWithEntries: logged.length,
      averages: rounded(Object.fromEntries(averages), keys),
      ...(low.length > 0 && { unknown: low }),
    };
  },
});

/** The nutrients whose sum is too low, since some entries do not state them. A nutrient that no entry states has no sum. */
function lowOf(
  { nutrients: sums, unknown = [] }: DatedSums,
  keys: readonly AnyNutrientKey[],
): AnyNutrientKey[] {
  return unknown
    .map((key) => NUTRIENT_OF[key])
    .filter((key) => sums[key] !== undefined && keys.includes(key));
}
