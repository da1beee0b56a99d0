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
  .describe(
    'Rounded. Named by nutrient and unit, such as energyKcal, proteinG, sodiumMg. Unknown ones are absent.',
  );

export type NamedAmounts = z.infer<typeof amounts>;

/** Arguments for amounts, one for each nutrient. */
export const amountInputs = Object.fromEntries(
  Object.values(AMOUNT_NAMES).map((name) => [name, z.number().min(0).optional()]),
);

/** Arguments for goals: null removes one. */
export const goalInputs = Object.fromEntries(
  Object.values(AMOUNT_NAMES).map((name) => [name, z.number().min(0).nullable().optional()]),
);

/** The nutrients of a food that it states. */
export function statedNutrients(
  macros: Readonly<Partial<Record<NutrientKey, number>>>,
  unknown: readonly NutrientKey[] = [],
): Readonly<Partial<Record<NutrientKey, number>>> {
  return Object.fromEntries(
    NUTRIENT_KEYS.flatMap((key) =>
      macros[key] === undefined || unknown.includes(key) ? [] : [[key, macros[key]]],
    ),
  );
}

/** The amounts of a food. */
export function ofFood(
  macros: Readonly<Partial<Record<NutrientKey, number>>>,
  unknown: readonly NutrientKey[] = [],
): NamedAmounts {
  const stated = Object.entries(statedNutrients(macros, unknown)) as [NutrientKey, number][];
  return Object.fromEntries(stated.map(([key, amount]) => [AMOUNT_NAMES[key], readable(key, amount)]));
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
  return named(fields, readable);
}

/** Goals as they were set. */
export function ofGoals(goals: AmountFields): NamedAmounts {
  return named(goals, (_, amount) => amount);
}

function named(fields: DiaryAmounts, inWords: typeof readable): NamedAmounts {
  const stated = statedAmounts(fields);
  return Object.fromEntries(
    AMOUNT_KEYS.flatMap((key) => {
      const amount = stated[key];
      const nutrient = NUTRIENT_OF[key];
      return amount === undefined ? [] : [[AMOUNT_NAMES[nutrient], inWords(nutrient, amount)]];
    }),
  );
}

/** The fields of the diary for the amounts among the arguments, which of goals may be null. */
export function toDiaryFields<T extends number | null = number>(
  input: Readonly<Record<string, unknown>>,
): AmountFields<T> {
  const main: { [key in MainAmount]?: T } = {};
  const nutrients: Record<string, T> = {};
  for (const nutrient of NUTRIENT_KEYS) {
    const amount = input[AMOUNT_NAMES[nutrient]] as T | undefined;
    if (amount === undefined) continue;
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
  amount: z
    .number()
    .optional()
    .describe('Sum of what is stated, in `unit`, rounded; absent where no food states it.'),
  statedBy: z
    .int()
    .optional()
    .describe('How many of the foods state it; absent where there are too many foods to count.'),
  foods: z.int().optional(),
  goal: z.number().optional().describe('In `unit`.'),
  left: z
    .number()
    .optional()
    .describe('Goal minus amount, in `unit`; negative if over. Absent where the amount is unknown.'),
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

/** Formats a sum: it is a lower bound if not all foods state the amount, and unknown if none does. */
export function toSumLine(
  nutrient: NutrientKey,
  { amount, goal, left, ...counted }: SumFacts,
  isLow = counted.statedBy !== counted.foods,
): z.infer<typeof sumLine> {
  const unit = NUTRIENT_UNITS[nutrient];
  const { statedBy, foods } = counted;
  const line = { nutrient, unit, ...counted, ...(goal !== undefined && { goal }) };
  const isUnknown = foods === undefined ? isLow && amount === 0 : foods > 0 && statedBy === 0;
  const goalText = goal === undefined ? '' : `; goal ${goal} ${unit}`;
  if (isUnknown) {
    const known = foods === undefined ? 'no foods state it' : `0 of ${foods} foods state it`;
    return { ...line, text: `unknown; ${known}${goalText}` };
  }
  const rest = left === undefined ? {} : { left: readable(nutrient, left) };
  const restText = left === undefined ? '' : `, ${leftText(unit, rest.left!, isLow)}`;
  if (foods === 0) return { ...line, ...rest, text: `no entries${goalText}${restText}` };
  const sum = readable(nutrient, amount);
  const known = foods === undefined ? 'not all foods state it' : `${statedBy} of ${foods} foods state it`;
  const text = isLow ? `at least ${sum} ${unit}; ${known}` : `${sum} ${unit}`;
  return { ...line, amount: sum, ...rest, text: text + goalText + restText };
}

function leftText(unit: string, left: number, isLow: boolean): string {
  if (left < 0) return `${isLow ? 'at least ' : ''}${-left} ${unit} over`;
  return `${isLow ? 'at most ' : ''}${left} ${unit} left`;
}

/** The sums of foods of a text, each with the number of foods that state it. */
export function sumOfFoods(
  foods: readonly Readonly<Partial<Record<NutrientKey, number>>>[],
): z.infer<typeof sumLine>[] {
  return NUTRIENT_KEYS.flatMap((nutrient) => {
    const stated = foods.flatMap((food) => food[nutrient] ?? []);
    if (stated.length === 0) return [];
    const amount = stated.reduce((total, each) => total + each, 0);
    return [toSumLine(nutrient, { amount, statedBy: stated.length, foods: foods.length })];
  });
}

/** As people read amounts: energy in whole kcal, others with up to two decimals, fewer where they are large. */
export function readable(nutrient: NutrientKey, amount: number): number {
  const size = Math.abs(amount);
  const steps = nutrient === 'energy' || size >= 100 ? 1 : size >= 10 ? 10 : 100;
  return Math.round(amount * steps) / steps || 0;
}
