import { NUTRIENT_KEYS, NUTRIENT_UNITS, type NutrientKey } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import { type AmountFields, flatAmounts } from '../../diary/records/amount-fields.ts';
import {
  AMOUNT_KEYS,
  type AmountKey,
  MAIN_AMOUNTS,
  type MainAmount,
  NUTRIENT_OF,
} from '../../diary/records/entry.ts';

// All tools use one vocabulary for amounts: that of foods, each name with its unit.

/** Such as `energyKcal`, `sodiumMg`. */
export const AMOUNT_NAMES = Object.fromEntries(
  NUTRIENT_KEYS.map((key) => {
    const unit = NUTRIENT_UNITS[key];
    return [key, `${key}${unit[0]!.toUpperCase()}${unit.slice(1)}`];
  }),
) as Readonly<Record<NutrientKey, string>>;

const AMOUNT_OF = Object.fromEntries(AMOUNT_KEYS.map((key) => [NUTRIENT_OF[key], key])) as Readonly<
  Record<NutrientKey, AmountKey>
>;

export const amounts = z
  .record(z.string(), z.number())
  .describe('Named by nutrient and unit, such as energyKcal, proteinG, sodiumMg. Unknown ones are absent.');

export type NamedAmounts = z.infer<typeof amounts>;

/** Arguments for amounts, one for each nutrient. */
export const amountInputs = Object.fromEntries(
  Object.values(AMOUNT_NAMES).map((name) => [name, z.number().min(0).optional()]),
);

/** The amounts of a food. */
export function ofFood(
  macros: Readonly<Partial<Record<NutrientKey, number>>>,
  unknown: readonly NutrientKey[] = [],
): NamedAmounts {
  const known = NUTRIENT_KEYS.filter((key) => macros[key] !== undefined && !unknown.includes(key));
  return Object.fromEntries(known.map((key) => [AMOUNT_NAMES[key], macros[key]!]));
}

/** Amounts as in responses of the diary: unknown ones are 0 and named in `unknown`. */
export type DiaryAmounts = AmountFields & { readonly unknown?: readonly AmountKey[] | undefined };

/** The amounts that an entry states. */
export function statedAmounts(entry: DiaryAmounts): Partial<Record<AmountKey, number>> {
  const stated = flatAmounts(entry);
  for (const key of entry.unknown ?? []) delete stated[key];
  return stated;
}

export function ofDiary(fields: DiaryAmounts): NamedAmounts {
  const stated = statedAmounts(fields);
  const keys = AMOUNT_KEYS.filter((key) => stated[key] !== undefined);
  return Object.fromEntries(keys.map((key) => [AMOUNT_NAMES[NUTRIENT_OF[key]], stated[key]!]));
}

/** The fields of the diary for the amounts among the arguments. */
export function toDiaryFields(input: Readonly<Record<string, unknown>>): AmountFields {
  const main: { [key in MainAmount]?: number } = {};
  const nutrients: Record<string, number> = {};
  for (const nutrient of NUTRIENT_KEYS) {
    const amount = input[AMOUNT_NAMES[nutrient]];
    if (typeof amount !== 'number') continue;
    const key = AMOUNT_OF[nutrient];
    if (isMain(key)) main[key] = amount;
    else nutrients[key] = amount;
  }
  return { ...main, ...(Object.keys(nutrients).length > 0 && { nutrients }) };
}

function isMain(key: AmountKey): key is MainAmount {
  return (MAIN_AMOUNTS as readonly string[]).includes(key);
}

export const sumLine = z.object({
  nutrient: z.string(),
  unit: z.string(),
  amount: z.number().describe('Sum of what is stated, in `unit`.'),
  statedBy: z
    .int()
    .optional()
    .describe('How many of the foods state it; absent where there are too many foods to count.'),
  foods: z.int().optional(),
  goal: z.number().optional().describe('In `unit`.'),
  left: z.number().optional().describe('Goal minus amount, in `unit`; negative if over.'),
  text: z.string(),
});

interface SumFacts {
  readonly amount: number;
  /** Number of foods that state it, and of all foods; both absent if they were not counted. */
  readonly statedBy?: number | undefined;
  readonly foods?: number | undefined;
  readonly goal?: number | undefined;
  readonly left?: number | undefined;
}

/** Formats a sum: it is a lower bound if not all foods state the amount. */
export function toSumLine(
  nutrient: NutrientKey,
  facts: SumFacts,
  isLow = facts.statedBy !== facts.foods,
): z.infer<typeof sumLine> {
  const unit = NUTRIENT_UNITS[nutrient];
  return { nutrient, unit, ...facts, text: sumText(unit, facts, isLow) + goalText(unit, facts, isLow) };
}

function sumText(unit: string, { amount, statedBy, foods }: SumFacts, isLow: boolean): string {
  if (foods === undefined)
    return isLow ? `at least ${amount} ${unit}; not all foods state it` : `${amount} ${unit}`;
  if (foods === 0) return `0 ${unit}; no foods`;
  if (!isLow) return `${amount} ${unit}`;
  if (statedBy === 0) return `unknown; 0 of ${foods} foods state it`;
  return `at least ${amount} ${unit}; ${statedBy} of ${foods} foods state it`;
}

function goalText(unit: string, { goal, left }: SumFacts, isLow: boolean): string {
  if (goal === undefined || left === undefined) return '';
  const bound = !isLow ? '' : left < 0 ? 'at least ' : 'at most ';
  const rest = left < 0 ? `${bound}${-left} ${unit} over` : `${bound}${left} ${unit} left`;
  return `; goal ${goal} ${unit}, ${rest}`;
}

/** The sums of foods of a text, each with the number of foods that state it. */
export function sumOfFoods(foods: readonly NamedAmounts[]): z.infer<typeof sumLine>[] {
  return NUTRIENT_KEYS.flatMap((nutrient) => {
    const stated = foods.flatMap((food) => food[AMOUNT_NAMES[nutrient]] ?? []);
    if (stated.length === 0) return [];
    const sum = stated.reduce((total, amount) => total + amount, 0);
    return [toSumLine(nutrient, { amount: rounded(sum), statedBy: stated.length, foods: foods.length })];
  });
}

/** To thousandths, as the diary rounds. */
export function rounded(amount: number): number {
  return Math.round(amount * 1_000) / 1_000;
}
