import {
  type AmountKey,
  type Amounts,
  type ANSWERED_AMOUNTS,
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

/** Fields of one entry: what every answer has as a number is 0 where it is unknown, and named in `unknown`. */
export function toEntryAmounts(
  amounts: Amounts,
): AmountFields & Record<(typeof ANSWERED_AMOUNTS)[number], number> & { readonly unknown?: AmountKey[] } {
  const unknown = unknownOf(amounts);
  const fields = toAmountFields(amounts) as ReturnType<typeof toEntryAmounts>;
  if (unknown.length === 0) return fields;
  return { ...{ calories: 0, protein: 0, carbs: 0, fat: 0 }, ...fields, unknown };
}

/** The fields of known amounts as decimal numbers; `nutrients` is absent if it would be empty. */
export function toAmountFields(amounts: Readonly<Partial<Record<AmountKey, Thousandths>>>): AmountFields {
  const fields: { [key in MainAmount]?: number } & { nutrients?: { [key in OtherAmount]?: number } } = {};
  for (const key of MAIN_AMOUNTS) if (amounts[key] !== undefined) fields[key] = toDecimal(amounts[key]);
  for (const key of OTHER_AMOUNTS) {
    if (amounts[key] === undefined) continue;
    fields.nutrients ??= {};
    fields.nutrients[key] = toDecimal(amounts[key]);
  }
  return fields;
}
