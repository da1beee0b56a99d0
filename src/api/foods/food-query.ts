import type { Food } from '@larder/core/food.ts';
import { type FoodLanguage, foodLanguagesOf } from '@larder/core/food-languages.ts';
import { z } from 'zod';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { foodFactsObject } from './food-facts-json.ts';
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

const LOOK_UP_INCLUDES = ['servings', 'facts', 'servings,facts', 'facts,servings'] as const;
export type IncludedOfLookUp = (typeof LOOK_UP_INCLUDES)[number] | undefined;

/** As `includeQuery`, for a single food. */
export const lookUpIncludeQuery = z.object({
  include: z
    .enum(LOOK_UP_INCLUDES, '"include" can be "servings", "facts" or both with a comma between them.')
    .optional()
    .describe(
      '`servings`: the food with all its servings and its nutrients per 100 g or ml. `facts`: with its facts, if it has any.',
    )
    .meta({ id: 'IncludeOfLookUp' }),
});

/** As `lookUpIncludeQuery`, for answers that have servings anyway. */
export const factsQuery = z.object({
  include: z
    .literal('facts', '"include" can only be "facts".')
    .optional()
    .describe('`facts`: the food with its facts, if it has any.'),
});

/** The facts that were asked for; no field if there are none. */
export async function includedFacts(
  foods: FoodDirectory,
  food: Food,
  include: IncludedOfLookUp,
): Promise<{ readonly facts?: ReturnType<typeof foodFactsObject> }> {
  const facts = include?.includes('facts') ? await foods.factsOf(food) : undefined;
  return facts === undefined ? {} : { facts: foodFactsObject(food, facts) };
}

/** Makes the requested objects. */
export function foodObjects(include: IncludedOfFoods): (food: Food) => FoodObject {
  return include === undefined ? foodObject : detailedFoodObject;
}
