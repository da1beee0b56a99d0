import {
  type AnyNutrientKey,
  FURTHER_NUTRIENTS,
  NUTRIENT_KEYS,
  NUTRIENT_UNITS,
  type NutrientKey,
  type PartialNutrients,
  REGISTRY,
  sumsOfKnown,
} from '@larder/core/nutrients.ts';
import { round } from '@larder/core/rounding.ts';
import { z } from 'zod';
import { AMOUNT_OF, type AmountKey } from '../diary/records/entry.ts';

// Every object with nutrition has `nutrients`: one vocabulary, and what is unknown is absent.

/** A field for each nutrient of foods. */
export function foodNutrientFields<T>(
  fieldOf: (amount: z.ZodNumber, unit: string) => T,
): Record<NutrientKey, T> {
  return Object.fromEntries(
    NUTRIENT_KEYS.map((key) => [key, fieldOf(z.number(), NUTRIENT_UNITS[key])]),
  ) as Record<NutrientKey, T>;
}

/** A field for each nutrient. Further ones share a schema where they share a unit: each takes about a kilobyte of each thread. */
export function nutrientFields<T>(
  fieldOf: (amount: z.ZodNumber, unit: string, key: AnyNutrientKey) => T,
): Record<AnyNutrientKey, T> {
  const shared = new Map<string, T>();
  const fields: Record<string, T> = {};
  for (const key of NUTRIENT_KEYS) fields[key] = fieldOf(z.number(), NUTRIENT_UNITS[key], key);
  for (const { key, unit } of FURTHER_NUTRIENTS) {
    const field = shared.get(unit) ?? fieldOf(z.number(), unit, key);
    shared.set(unit, field);
    fields[key] = field;
  }
  return fields;
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
  for (const { key } of REGISTRY) {
    const name = AMOUNT_OF[key];
    const sum = sums[key];
    if (sum !== undefined) nutrients[key] = round(sum);
    if ((sum !== undefined || fields.includes(name)) && items.some((item) => item[key] === undefined))
      unknown.push(name);
  }
  return { nutrients, unknown: unknown.length === 0 ? undefined : unknown };
}
