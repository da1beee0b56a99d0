import {
  type AmountKey,
  type Amounts,
  MAIN_AMOUNTS,
  type MainAmount,
  OTHER_AMOUNTS,
  type OtherAmount,
  unknownOf,
} from './entry.ts';
import { type Thousandths, toDecimal } from './exact-amount.ts';

/** Amounts in the API: six have a field of their own, the others are in `nutrients`. */
export type AmountFields<T = number> = {
  readonly [key in MainAmount]?: T | undefined;
} & { readonly nutrients?: { readonly [key in OtherAmount]?: T | undefined } | undefined };

/** Merges all amounts into one level. */
export function flatAmounts<T>(fields: AmountFields<T>): Partial<Record<AmountKey, T>> {
  const flat: Partial<Record<AmountKey, T>> = {};
  for (const key of MAIN_AMOUNTS) if (fields[key] !== undefined) flat[key] = fields[key];
  for (const key of OTHER_AMOUNTS) {
    const amount = fields.nutrients?.[key];
    if (amount !== undefined) flat[key] = amount;
  }
  return flat;
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

/** The fields of known amounts as decimal numbers; `nutrients` is undefined if it would be empty. */
export function toAmountFields(amounts: Readonly<Partial<Record<AmountKey, Thousandths>>>) {
  let nutrients: { [key in OtherAmount]?: number } | undefined;
  for (const key of OTHER_AMOUNTS) {
    const amount = amounts[key];
    if (amount === undefined) continue;
    nutrients ??= {};
    nutrients[key] = toDecimal(amount);
  }
  const { calories, protein, carbs, fat, fiber, sodium } = amounts;
  return {
    calories: calories === undefined ? undefined : toDecimal(calories),
    protein: protein === undefined ? undefined : toDecimal(protein),
    carbs: carbs === undefined ? undefined : toDecimal(carbs),
    fat: fat === undefined ? undefined : toDecimal(fat),
    fiber: fiber === undefined ? undefined : toDecimal(fiber),
    sodium: sodium === undefined ? undefined : toDecimal(sodium),
    nutrients,
  } satisfies AmountFields;
}
