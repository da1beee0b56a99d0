import type { AnyNutrientKey } from '@larder/core/nutrients.ts';
import {
  AMOUNT_KEYS,
  type AmountKey,
  type Amounts,
  isFurther,
  isMainAmount,
  type MainAmount,
  NUTRIENT_OF,
  OTHER_AMOUNTS,
  unknownOf,
} from './entry.ts';
import { type Thousandths, toDecimal } from './exact-amount.ts';
import { invalidField } from './invalid-field.ts';

/** Amounts in the API: `nutrients` has all of them, and six have a field of their own, too. */
export type AmountFields<T = number> = {
  readonly [key in MainAmount]?: T | undefined;
} & { readonly nutrients?: { readonly [key in AnyNutrientKey]?: T | undefined } | undefined };

/** The values that `fields` give for an amount: in its own field, in `nutrients`, or in both. */
export function statedIn<T>(fields: AmountFields<T>, key: AmountKey): readonly T[] {
  const own = isMainAmount(key) ? fields[key] : undefined;
  return [own, fields.nutrients?.[NUTRIENT_OF[key]]].filter((amount) => amount !== undefined) as T[];
}

/**
 * Merges all amounts into one level. Of a field and its nutrient that differ, that which differs from `current` counts: the record was
 * read, and one of them changed. Throws `invalid_request` if both did.
 */
export function flatAmounts<T extends number | null>(
  fields: AmountFields<T>,
  current: Partial<Record<AmountKey, Thousandths>> | undefined = undefined,
): Partial<Record<AmountKey, T>> {
  const flat: Partial<Record<AmountKey, T>> = {};
  for (const key of AMOUNT_KEYS) {
    const [own, named = own] = statedIn(fields, key);
    if (own === undefined) continue;
    if (own === named) {
      flat[key] = own;
      continue;
    }
    const known = current?.[key];
    const read = known === undefined ? null : toDecimal(known);
    const changed = [own, named!].filter((amount) => amount !== read);
    if (current === undefined || changed.length > 1) throw contradiction(key);
    flat[key] = changed[0]!;
  }
  return flat;
}

function contradiction(key: AmountKey) {
  const nutrient = `nutrients.${NUTRIENT_OF[key]}`;
  return invalidField(
    key,
    `"${key}" and "${nutrient}" are the same amount: give one of them, or both alike.`,
  );
}

/** Fields of one entry: amounts that every response has as a number are 0 if unknown, and named in `unknown`. */
export function toEntryAmounts(amounts: Amounts) {
  const unknown = unknownOf(amounts);
  const { calories = 0, protein = 0, carbs = 0, fat = 0, fiber, sodium, nutrients } = toAmountFields(amounts);
  return {
    calories,
    protein,
    carbs,
    fat,
    fiber,
    sodium,
    nutrients,
    unknown: unknown.length > 0 ? unknown : undefined,
  };
}

function decimalOf(amount: Thousandths | undefined): number | undefined {
  return amount === undefined ? undefined : toDecimal(amount);
}

/** The fields of known amounts as decimal numbers. */
export function toAmountFields(amounts: Readonly<Partial<Record<AmountKey, Thousandths>>>) {
  const calories = decimalOf(amounts.calories);
  const protein = decimalOf(amounts.protein);
  const carbs = decimalOf(amounts.carbs);
  const fat = decimalOf(amounts.fat);
  const fiber = decimalOf(amounts.fiber);
  const sodium = decimalOf(amounts.sodium);
  // Objects of one form: lists have thousands, and JSON leaves out what is undefined.
  const nutrients: { [key in AnyNutrientKey]?: number | undefined } = {
    energy: calories,
    protein,
    fat,
    carbohydrates: carbs,
    fiber,
    sodium,
  };
  for (const key of OTHER_AMOUNTS) {
    const amount = amounts[key];
    if (amount !== undefined) nutrients[key] = toDecimal(amount);
  }
  for (const key in amounts) if (isFurther(key)) nutrients[key] = toDecimal(amounts[key]!);
  return { calories, protein, carbs, fat, fiber, sodium, nutrients } satisfies AmountFields;
}
