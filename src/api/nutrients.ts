import {
  NUTRIENT_KEYS,
  NUTRIENT_UNITS,
  type NutrientKey,
  type PartialNutrients,
  sumsOfKnown,
} from '@larder/core/nutrients.ts';
import { round } from '@larder/core/rounding.ts';
import { z } from 'zod';
import { AMOUNT_OF, type AmountKey } from '../diary/records/entry.ts';

// Every object with nutrition has `nutrients`: one vocabulary, and what is unknown is absent.

/** A field for each nutrient. */
export function nutrientFields<T>(
  fieldOf: (amount: z.ZodNumber, unit: string, key: NutrientKey) => T,
): Record<NutrientKey, T> {
  return Object.fromEntries(
    NUTRIENT_KEYS.map((key) => [key, fieldOf(z.number(), NUTRIENT_UNITS[key], key)]),
  ) as Record<NutrientKey, T>;
}

export const nutrientsSchema = z
  .object(nutrientFields((amount, unit) => amount.min(0).describe(unit).optional()))
  .meta({
    id: 'Nutrients',
    description: 'All known nutrients, of the amount of the object. Unknown ones are absent.',
  });

export type KnownNutrients = Readonly<PartialNutrients>;

/**
 * The sums of what the items state, and the names of those that are too low because some item does not state them. A nutrient that no
 * item states is absent; `fields` are the contract's fields of the sum, which are 0 then.
 */
export function sumOfNutrients(
  items: readonly KnownNutrients[],
  fields: readonly AmountKey[],
): { readonly nutrients: KnownNutrients; readonly unknown: AmountKey[] | undefined } {
  const sums = sumsOfKnown(items);
  const nutrients: PartialNutrients = {};
  const unknown: AmountKey[] = [];
  for (const key of NUTRIENT_KEYS) {
    const name = AMOUNT_OF[key];
    const sum = sums[key];
    if (sum !== undefined) nutrients[key] = round(sum);
    if ((sum !== undefined || fields.includes(name)) && items.some((item) => item[key] === undefined))
      unknown.push(name);
  }
  return { nutrients, unknown: unknown.length === 0 ? undefined : unknown };
}
