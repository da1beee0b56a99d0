import type { DailyTotals } from 'larder-client';
import type { DaySums, Summand } from '../offline/entries/day-sums.ts';

export interface Logged {
  /** A day on average. */
  readonly amount: number;
  /** How many of the foods state it. */
  readonly statedBy: number;
  readonly foods: number;
}

/** The sums of a day by what this device knows, with all nutrients that its entries state, and how many state each. */
export function withAllNutrients(sums: DaySums, items: readonly Summand[]): DailyTotals {
  const nutrients: Record<string, number> = { ...sums.nutrients };
  const statedBy: Record<string, number> = {};
  for (const item of items) {
    for (const [key, amount] of Object.entries(item.nutrients ?? {})) {
      statedBy[key] = (statedBy[key] ?? 0) + 1;
      if (key in sums.nutrients) continue;
      // Amounts are exact to a thousandth; binary sums of them are not.
      nutrients[key] = Math.round(((nutrients[key] ?? 0) + amount) * 1_000) / 1_000;
    }
  }
  return { ...sums, entries: items.length, nutrients, statedBy };
}

/** How much of a nutrient was logged, over the days with entries; undefined where no food states it, which is not 0. */
export function loggedOf(days: readonly DailyTotals[], nutrient: string): Logged | undefined {
  const logged = days.filter(({ entries }) => entries > 0);
  const foods = logged.reduce((sum, { entries }) => sum + entries, 0);
  const statedBy = logged.reduce((sum, day) => sum + statedIn(day, nutrient), 0);
  if (statedBy === 0) return undefined;
  const amounts = logged.map(
    ({ nutrients }) => (nutrients as Readonly<Record<string, number>>)[nutrient] ?? 0,
  );
  return { amount: amounts.reduce((sum, amount) => sum + amount, 0) / logged.length, statedBy, foods };
}

/** Sums call carbohydrates `carbs` and energy `calories`. */
const NAMES: Readonly<Record<string, string>> = { carbohydrates: 'carbs', energy: 'calories' };

function statedIn({ entries, nutrients, statedBy = {} }: DailyTotals, nutrient: string): number {
  return statedBy[nutrient] ?? statedBy[NAMES[nutrient] ?? ''] ?? (nutrient in nutrients ? entries : 0);
}
