import { z } from 'zod';
import { sumDays } from '../../../api/diary/sum-days.ts';
import type { AmountFields } from '../../../diary/records/amount-fields.ts';
import { AMOUNT_KEYS, type AmountKey, NUTRIENT_OF } from '../../../diary/records/entry.ts';
import { AMOUNT_NAMES, amounts, ofDiary, rounded } from '../amounts.ts';
import { dateInput, daysBefore, timeZoneInput, understandDay, understoodDay } from '../days.ts';
import { ask, ofUser, READS, tool } from '../tool.ts';

/** A quarter of a year: more would fill the context of a model. */
const MAX_DAYS = 92;
const USUAL_DAYS = 7;

type DatedSums = AmountFields & { readonly date: string; readonly incomplete?: readonly AmountKey[] };

export const getTrendTool = tool({
  name: 'get_trend',
  title: 'Read several days',
  description: `The sums of each of up to ${MAX_DAYS} days, and their averages. Days without energy are left out of averages.`,
  scope: 'diary:read',
  user: 'required',
  annotations: READS,
  input: z.strictObject({
    to: dateInput.describe('Last day: YYYY-MM-DD, "today" or "yesterday". Default: today.'),
    days: z.int().min(1).max(MAX_DAYS).default(USUAL_DAYS).describe('How many days up to it.'),
    timeZone: timeZoneInput,
  }),
  output: z.object({
    from: z.string(),
    to: understoodDay,
    days: z.array(
      z.object({
        date: z.string(),
        amounts,
        atLeast: z
          .array(z.string())
          .optional()
          .describe('Names of amounts that are too low, since not all foods of the day state them.'),
      }),
    ),
    daysWithEnergy: z.int(),
    averages: amounts.describe('Averages of the days with energy; see atLeast of the days.'),
    averagesAtLeast: z.array(z.string()).optional().describe('Names of averages that are too low.'),
  }),
  async run({ to: given, days: count }, context) {
    const to = understandDay(given, context, 'to');
    const from = daysBefore(to.date, count - 1);
    const sums = await ask<DatedSums[]>(context, sumDays, {
      params: ofUser(context),
      query: { from, to: to.date },
    });
    const days = sums.map((day) => {
      const incomplete = day.incomplete?.map((key) => AMOUNT_NAMES[NUTRIENT_OF[key]]);
      return { date: day.date, amounts: ofDiary(day), atLeast: incomplete };
    });
    const withEnergy = days.filter((day) => (day.amounts[AMOUNT_NAMES.energy] ?? 0) > 0);
    const names = AMOUNT_KEYS.map((key) => AMOUNT_NAMES[NUTRIENT_OF[key]]);
    const averages = names.flatMap((name) => {
      const stated = withEnergy.flatMap((day) => day.amounts[name] ?? []);
      if (stated.length === 0) return [];
      return [[name, rounded(stated.reduce((sum, one) => sum + one, 0) / withEnergy.length)] as const];
    });
    const low = averages.flatMap(([name]) =>
      withEnergy.some(({ amounts: of, atLeast = [] }) => of[name] === undefined || atLeast.includes(name))
        ? [name]
        : [],
    );
    return {
      from,
      to,
      days,
      daysWithEnergy: withEnergy.length,
      averages: Object.fromEntries(averages),
      ...(low.length > 0 && { averagesAtLeast: low }),
    };
  },
});
