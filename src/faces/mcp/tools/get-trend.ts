import { z } from 'zod';
import { sumDays } from '../../../api/diary/sum-days.ts';
import { type AmountFields, flatAmounts } from '../../../diary/records/amount-fields.ts';
import { AMOUNT_KEYS, type AmountKey, NUTRIENT_OF } from '../../../diary/records/entry.ts';
import { AMOUNT_NAMES, amounts, readable } from '../amounts.ts';
import { dateInput, daysBefore, timeZoneInput, understandDay, understoodDay } from '../days.ts';
import { ask, ofUser, READS, tool } from '../tool.ts';

/** A quarter of a year: more would fill the context of a model. */
const MAX_DAYS = 92;
const USUAL_DAYS = 7;

type DatedSums = AmountFields & {
  readonly date: string;
  readonly entries: number;
  readonly incomplete?: readonly AmountKey[];
};

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
  }),
  output: z.object({
    from: z.string(),
    to: understoodDay,
    days: z.array(
      z.object({
        date: z.string(),
        entries: z.union([z.int(), z.literal('no entries')]).describe('How many entries the day has.'),
        amounts: amounts.optional().describe('Absent for a day without entries.'),
        atLeast: z
          .array(z.string())
          .optional()
          .describe('Names of amounts that are too low, since not all foods of the day state them.'),
      }),
    ),
    daysWithEntries: z.int(),
    averages: amounts.describe('Averages of the days with entries; see atLeast of the days.'),
    averagesAtLeast: z.array(z.string()).optional().describe('Names of averages that are too low.'),
  }),
  async run({ to: given, days: count }, context) {
    const to = understandDay(given, context, 'to');
    const from = daysBefore(to.date, count - 1);
    const sums = await ask<DatedSums[]>(context, sumDays, {
      params: ofUser(context),
      query: { from, to: to.date },
    });
    const logged = sums.filter(({ entries }) => entries > 0).map(statedBy);
    const averages: (readonly [AmountKey, number])[] = AMOUNT_KEYS.flatMap((key) => {
      const stated = logged.flatMap(({ amounts: of }) => of[key] ?? []);
      if (stated.length === 0) return [];
      return [[key, stated.reduce((sum, one) => sum + one, 0) / logged.length] as const];
    });
    const low = averages.flatMap(([key]) =>
      logged.some(({ amounts: of, low: lows }) => of[key] === undefined || lows.includes(key))
        ? [nameOf(key)]
        : [],
    );
    const days = sums.map((day) => {
      const { date, entries } = day;
      if (entries === 0) return { date, entries: 'no entries' as const };
      const { amounts: of, low: lows } = statedBy(day);
      return {
        date,
        entries,
        amounts: inWords(Object.entries(of)),
        ...(lows.length > 0 && { atLeast: lows.map(nameOf) }),
      };
    });
    return {
      from,
      to,
      days,
      daysWithEntries: logged.length,
      averages: inWords(averages),
      ...(low.length > 0 && { averagesAtLeast: low }),
    };
  },
});

/** What the entries of a day state; a sum of 0 to which not all contribute is unknown. */
function statedBy(day: DatedSums) {
  const incomplete = day.incomplete ?? [];
  const stated = Object.entries(flatAmounts(day)) as [AmountKey, number][];
  const known = stated.filter(([key, amount]) => amount > 0 || !incomplete.includes(key));
  const amounts: Partial<Record<AmountKey, number>> = Object.fromEntries(known);
  return { amounts, low: incomplete.filter((key) => amounts[key] !== undefined) };
}

function inWords(stated: readonly (readonly [string, number])[]): z.infer<typeof amounts> {
  return Object.fromEntries(
    stated.map(([key, amount]) => [
      nameOf(key as AmountKey),
      readable(NUTRIENT_OF[key as AmountKey], amount),
    ]),
  );
}

function nameOf(key: AmountKey): string {
  return AMOUNT_NAMES[NUTRIENT_OF[key]];
}
