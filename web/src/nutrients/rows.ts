import type { Food, GoalAmounts } from 'larder-client';
import { type Summand, sumsOf } from '../offline/entries/day-sums.ts';
import { energyOfMacros, KCAL_PER_G, type Macro } from '../parts/macro-energy.ts';
import { amountOf, DIARY_NUTRIENTS, type DiaryNutrient, type Measure } from '../parts/nutrients.ts';

/** What was eaten: an entry, or an amount of a food. */
export interface Eaten extends Summand {
  readonly foodName: string;
}

/** A food that states a nutrient, with all that was eaten of it. */
export interface Contribution {
  readonly name: string;
  readonly amount: number;
  /** Share of the known sum, from 0 to 1. */
  readonly share: number;
}

export interface NutrientRow {
  readonly key: Measure;
  readonly amount: number;
  /** Whether something does not state it, so that the true amount is higher. */
  readonly isAtLeast: boolean;
  readonly goal: number | undefined;
  /** The foods with most of it first. */
  readonly top: readonly Contribution[];
}

export interface NutrientRows {
  readonly known: readonly NutrientRow[];
  /** What nothing states: its amount is unknown, and never 0. */
  readonly unknown: readonly Measure[];
}

/** Foods that are named for a nutrient. */
const MAX_TOP = 5;
/** Parts follow their whole. */
const FIRST: readonly Measure[] = [
  ...(['calories', 'protein', 'carbs', 'sugars', 'addedSugars', 'fiber'] as const),
  ...(['fat', 'saturatedFat', 'transFat'] as const),
];
const MEASURES: readonly Measure[] = [
  ...FIRST,
  ...(Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[]).filter((key) => !FIRST.includes(key)),
];
/** Nutrients that another one contains. */
export const PARTS: ReadonlySet<Measure> = new Set<Measure>([
  ...(['sugars', 'addedSugars', 'fiber', 'saturatedFat', 'transFat'] as const),
]);

/** All nutrients of what was eaten, against goals. */
export function rowsOf(eaten: readonly Eaten[], goals: GoalAmounts = {}): NutrientRows {
  const sums = sumsOf(eaten);
  const rows = MEASURES.map((key) => {
    const isAtLeast = sums.unknown?.some((each) => each === key) ?? false;
    const amount = amountOf(sums, key);
    const goal = amountOf(goals, key);
    const isUnknown = eaten.length === 0 || amount === undefined || (amount === 0 && isAtLeast);
    return { key, amount: isUnknown ? undefined : amount, isAtLeast, goal };
  });
  return {
    known: rows.flatMap(({ amount, ...row }) =>
      amount === undefined ? [] : [{ ...row, amount, top: topOf(eaten, row.key, amount) }],
    ),
    unknown: rows.filter(({ amount }) => amount === undefined).map(({ key }) => key),
  };
}

/** The share of a macro in the energy of all three; undefined for others, and while one of them is not wholly known. */
export function energyShareOf(
  { key, amount }: Pick<NutrientRow, 'key' | 'amount'>,
  known: readonly NutrientRow[],
): number | undefined {
  const whole = known.filter(({ isAtLeast }) => !isAtLeast);
  const energy = energyOfMacros(Object.fromEntries(whole.map((row) => [row.key, row.amount])));
  if (!(key in KCAL_PER_G) || energy === undefined || energy === 0) return undefined;
  return (amount * KCAL_PER_G[key as Macro]) / energy;
}

/** An amount of a food as something eaten; `factor` is the amount in servings. Without one of them nothing is known of it. */
export function eatenOf({ name, nutrients }: Food, factor: number): Eaten {
  const scaled = Object.entries(nutrients).map(([key, value]) => [key, value * factor]);
  return { foodName: name, nutrients: Object.fromEntries(scaled) };
}

function topOf(eaten: readonly Eaten[], key: Measure, sum: number): readonly Contribution[] {
  if (sum === 0) return [];
  const byName = Map.groupBy(eaten, ({ foodName }) => foodName);
  return [...byName]
    .map(([name, all]) => {
      const amount = all.reduce((total, each) => total + (amountOf(each, key) ?? 0), 0);
      return { name, amount, share: amount / sum };
    })
    .filter(({ amount }) => amount > 0)
    .toSorted((a, b) => b.amount - a.amount)
    .slice(0, MAX_TOP);
}
