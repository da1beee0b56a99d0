import { NUTRIENT_KEYS, NUTRIENT_UNITS, type NutrientKey } from '@larder/core/nutrients.ts';
import { z } from 'zod';

// `include=nutrients`: foods, entries, sums, recipes, scans and texts answer `nutrients` with the same names and units.

export const NUTRIENTS_MEANING =
  '`nutrients`: all known nutrients in `nutrients`, with the names and units of foods.';

/** The query of operations that have nothing else to include. */
export const includeNutrients = z.object({
  include: z
    .literal('nutrients', '"include" can only be "nutrients".')
    .optional()
    .describe(NUTRIENTS_MEANING),
});

export type KnownNutrients = { readonly [key in NutrientKey]?: number };

export const knownNutrients = z
  .object(
    Object.fromEntries(
      NUTRIENT_KEYS.map((key) => [key, z.number().min(0).describe(NUTRIENT_UNITS[key]).optional()]),
    ) as Record<NutrientKey, z.ZodOptional<z.ZodNumber>>,
  )
  .meta({
    id: 'KnownNutrients',
    description: 'Comes with `include=nutrients`. Unknown nutrients are absent.',
  });

/** Words of the diary where they are not those of foods. */
const DIARY_WORDS: { readonly [key in NutrientKey]?: string } = {
  energy: 'calories',
  carbohydrates: 'carbs',
};

interface DiaryAmounts {
  readonly nutrients?: { readonly [key: string]: number | undefined } | undefined;
  /** Amounts that are answered as 0. */
  readonly unknown?: readonly string[];
  /** Sums that are too low. */
  readonly incomplete?: readonly string[];
}

/**
 * An entry or sums of the diary with everything known in `nutrients`, by the names of foods. A sum of 0 to which no item, or
 * not each one, contributes is unknown.
 */
export function withNutrients<Fields extends DiaryAmounts>(fields: Fields): Fields {
  const { nutrients: others = {}, unknown = [], incomplete = [] } = fields;
  const amounts: DiaryAmounts['nutrients'] = { ...others, ...(fields as object) };
  const known: { [key in NutrientKey]?: number } = {};
  for (const key of NUTRIENT_KEYS) {
    const word = DIARY_WORDS[key] ?? key;
    const amount = amounts[word];
    if (amount === undefined || unknown.includes(word) || (amount === 0 && incomplete.includes(word)))
      continue;
    known[key] = amount;
  }
  return { ...fields, nutrients: known };
}

/** Nutrients that each of the items states, summed. */
export function sumOfKnown(items: readonly KnownNutrients[]): KnownNutrients {
  const known = NUTRIENT_KEYS.filter((key) => items.every((item) => item[key] !== undefined));
  return Object.fromEntries(known.map((key) => [key, items.reduce((sum, item) => sum + item[key]!, 0)]));
}
