import type { Food } from '@larder/core/food.ts';
import { type FoodLanguage, foodLanguagesOf } from '@larder/core/food-languages.ts';
import { z } from 'zod';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { detailedFoodObject, type FoodObject, foodObject } from './food-json.ts';

// Parameters that several operations on foods read.

export interface FoodsPort {
  readonly foods: FoodDirectory;
}

/** Size of each thread's response cache for foods: room for tens of thousands of look-ups. */
export const MAX_CACHE_BYTES = 8 * 2 ** 20;

const LANGUAGES =
  /^\s*[A-Za-z]{1,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}\s*(?:,\s*[A-Za-z]{1,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}\s*){0,9}$/;
const WHAT_LANGUAGES_ARE =
  '"lang" must be 1 to 10 language codes such as "de" or "pt-BR" with commas between them.';

/** Asks for names in some languages. */
export const langQuery = z.object({
  lang: z
    .string(WHAT_LANGUAGES_ARE)
    .regex(LANGUAGES, WHAT_LANGUAGES_ARE)
    .optional()
    .describe(
      'Languages of names, the preferred one first, with commas between them. Foods have their name in the first of them that ' +
        'they have one in, with `lang`; searches prefer these names. Languages that no food is named in are passed over.',
    )
    .meta({ example: 'de,en' })
    .transform((tags) =>
      tags === undefined ? [] : foodLanguagesOf(tags.split(',').map((tag) => tag.trim())),
    ),
});

/** The parameter in the address of another page. */
export function langText(languages: readonly FoodLanguage[]): string | undefined {
  return languages.length === 0 ? undefined : languages.join(',');
}

export type IncludedOfFoods = 'servings' | undefined;

/** Requests fields that responses usually omit. */
export const includeQuery = z.object({
  include: z
    .literal('servings', '"include" can only be "servings".')
    .optional()
    .describe('`servings`: each food with all its servings and its nutrients per 100 g or ml.'),
});

/** Makes the requested objects. */
export function foodObjects(include: IncludedOfFoods): (food: Food) => FoodObject {
  return include === undefined ? foodObject : detailedFoodObject;
}
