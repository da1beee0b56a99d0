import { NUTRIENT_KEYS, NUTRIENT_UNITS, type NutrientKey } from '@larder/core/nutrients.ts';
import { z } from 'zod';

// With `include=nutrients`, foods, entries, sums, recipes, scans and texts have `nutrients` with the same
// names and units.

export const NUTRIENTS_MEANING =
  '`nutrients`: all known nutrients in `nutrients`, with the names and units of foods.';

/** The query of operations without other `include` values. */
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

/** Names of the diary that differ from those of foods. */
const DIARY_WORDS: { readonly [key in NutrientKey]?: string } = {
  energy: 'calories',
  carbohydrates: 'carbs',
};

interface DiaryAmounts {
  readonly nutrients?: { readonly [key: string]: number | undefined } | undefined;
  /** Unknown amounts that are returned as 0. */
  readonly unknown?: readonly string[];
  /** Sums that are too low, because amounts are unknown. */
  readonly incomplete?: readonly string[];
}

/**
 * An entry or sums of the diary with all known nutrients in `nutrients`, with the names of foods. A sum of 0
 * is unknown if not every item contributes to it.
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

/** Sums of the nutrients that each item states. */
export function sumOfKnown(items: readonly KnownNutrients[]): KnownNutrients {
  const known = NUTRIENT_KEYS.filter((key) => items.every((item) => item[key] !== undefined));
  return Object.fromEntries(known.map((key) => [key, items.reduce((sum, item) => sum + item[key]!, 0)]));
}
