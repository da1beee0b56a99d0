import { type AmountKey, MAIN_AMOUNTS, type MainAmount, OTHER_AMOUNTS, type OtherAmount } from './entry.ts';

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

/** The fields of known amounts; `nutrients` is absent if it would be empty. */
export function toAmountFields<T>(amountOf: (key: AmountKey) => T | undefined): AmountFields<T> {
  const nutrients = pick(OTHER_AMOUNTS, amountOf);
  return { ...pick(MAIN_AMOUNTS, amountOf), ...(Object.keys(nutrients).length > 0 && { nutrients }) };
}

function pick<K extends AmountKey, T>(keys: readonly K[], amountOf: (key: K) => T | undefined) {
  const known: { [key in K]?: T } = {};
  for (const key of keys) {
    const amount = amountOf(key);
    if (amount !== undefined) known[key] = amount;
  }
  return known;
}
