import { type AnyNutrientKey, NUTRIENT_KEYS, REGISTRY_UNITS } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import { foodNutrientFields, type KnownNutrients } from '../../api/nutrients.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';

// All tools use the vocabulary of `nutrients`.

export const nutrients = z
  .record(z.string(), z.number())
  .describe(
    'Rounded: energy in kcal, most others in g; sodium, cholesterol, potassium, calcium and iron in mg, vitaminD in ug. Unknown ones are absent.',
  );

export type RoundedNutrients = z.infer<typeof nutrients>;

/** The others are not listed, since a model reads this schema of several tools; the operation refuses names that it does not know. */
const OTHERS =
  'Others of the service by their names, such as magnesium, zinc, vitaminC (mg), vitaminB12, folate, iodine (ug), omega3, caffeine.';

export const nutrientsInput = z
  .object(foodNutrientFields((amount, unit) => amount.min(0).describe(unit).optional()))
  .catchall(z.number().min(0))
  .describe(OTHERS);

/** Null removes a goal. */
export const goalsInput = z
  .object(foodNutrientFields((amount, unit) => amount.min(0).describe(unit).nullable().optional()))
  .catchall(z.number().min(0).nullable())
  .describe(OTHERS);

const MAX_FURTHER = 20;

/** Foods may state a hundred further nutrients, which would fill the context of a model: answers have those that are asked for. */
export const furtherInput = z
  .array(z.string())
  .max(MAX_FURTHER)
  .optional()
  .describe('Further nutrients to answer, such as "magnesium", "vitaminC" or "omega3".');

/** The nutrients of foods, and those further ones. Throws `invalid_request` for a name that there is not. */
export function nutrientsWith(further: readonly string[] = []): readonly AnyNutrientKey[] {
  const wrong = further.find((name) => !(name in REGISTRY_UNITS));
  if (wrong !== undefined) throw invalidField('further', `There is no nutrient "${wrong}".`);
  return [...new Set([...NUTRIENT_KEYS, ...(further as AnyNutrientKey[])])];
}

/** Nutrients as people read them. */
export function rounded(
  exact: KnownNutrients,
  keys: readonly AnyNutrientKey[] = NUTRIENT_KEYS,
): RoundedNutrients {
  return Object.fromEntries(
    keys.flatMap((key) => (exact[key] === undefined ? [] : [[key, readable(key, exact[key])]])),
  );
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
  nutrient: AnyNutrientKey,
  { amount, goal, left, ...counted }: SumFacts,
  isLow = counted.statedBy !== counted.foods,
): z.infer<typeof sumLine> {
  const unit = REGISTRY_UNITS[nutrient];
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
export function sumOfFoods(foods: readonly KnownNutrients[]): z.infer<typeof sumLine>[] {
  return NUTRIENT_KEYS.flatMap((nutrient) => {
    const stated = foods.flatMap((food) => food[nutrient] ?? []);
    if (stated.length === 0) return [];
    const amount = stated.reduce((total, each) => total + each, 0);
    return [toSumLine(nutrient, { amount, statedBy: stated.length, foods: foods.length })];
  });
}

/** As people read amounts: energy in whole kcal, others with up to two decimals, fewer where they are large. */
export function readable(nutrient: AnyNutrientKey, amount: number): number {
  const size = Math.abs(amount);
  const steps = nutrient === 'energy' || size >= 100 ? 1 : size >= 10 ? 10 : 100;
  return Math.round(amount * steps) / steps || 0;
}
