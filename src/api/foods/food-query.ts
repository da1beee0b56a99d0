import { FOOD_SOURCES, type Food, ORIGINS } from '@larder/core/food.ts';
import { ALLERGENS, allergenOf, NUTRI_SCORES } from '@larder/core/food-facts.ts';
import { type FoodLanguage, foodLanguagesOf } from '@larder/core/food-languages.ts';
import { z } from 'zod';
import type { FoodFilter } from '../../foods/catalogue/catalogue-facts.ts';
import { countryTags, isCountry } from '../../foods/import/off/slice.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { foodFactsObject } from './food-facts-json.ts';
import { detailedFoodObject, type FoodObject, foodObject } from './food-json.ts';

/** The country that a product states if it is sold everywhere. */
const WORLD = 'en:world';

// The filters of searches. Each refuses what it does not know, since a filter that is ignored would show foods that nobody asked for.

const MAX_VALUES = 20;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountry);
/** Up to 100 characters. */
const ANY_WORD = '[^,\\s](?:[^,]{0,98}[^,\\s])?';

/** A parameter of words with commas between them; `word` is the pattern of one, which `read` knows. */
function listOf<T>(known: string, word: string, read: (word: string) => T) {
  const pattern = `^\\s*(?:${word})\\s*(?:,\\s*(?:${word})\\s*){0,${MAX_VALUES - 1}}$`;
  return z
    .string()
    .regex(new RegExp(pattern, 'u'), `must be ${known}, up to ${MAX_VALUES} with commas between them`)
    .optional()
    .transform((typed) => typed?.split(',').map((each) => read(each.trim())));
}

/** The pattern of one of some words. */
function anyOf(words: readonly string[]): string {
  return words.join('|');
}

const SOURCES = [...FOOD_SOURCES, ...ORIGINS];
const asWritten = <T extends string>(word: string) => word as T;

export const filterQuery = z.object({
  diet: z
    .enum(['vegan', 'vegetarian'])
    .optional()
    .describe('Only foods of which a source says so, and none says otherwise.'),
  without: listOf(
    `some of ${Object.keys(ALLERGENS).join(', ')}`,
    anyOf(Object.entries(ALLERGENS).flatMap(([allergen, others]) => [allergen, ...others])),
    (word) => allergenOf(word)!,
  ).describe(
    `Only foods that state none of these allergens, neither as contained nor as traces: ${Object.keys(ALLERGENS).join(', ')}. ` +
      'It does not promise that a food is safe.',
  ),
  country: listOf(
    'codes of countries such as de',
    anyOf([...COUNTRIES, ...COUNTRIES.map((code) => code.toUpperCase())]),
    (code) => code.toLowerCase(),
  ).describe('Only foods sold in one of these countries (ISO 3166), such as `de,at`.'),
  category: listOf('categories such as en:pizzas', ANY_WORD, (word) => word.toLowerCase()).describe(
    'Only foods of one of these categories, with those below it, such as `en:pizzas`.',
  ),
  source: listOf(
    `some of ${SOURCES.join(', ')}`,
    anyOf(SOURCES),
    asWritten<(typeof SOURCES)[number]>,
  ).describe(`Only foods of one of these sources: ${SOURCES.join(', ')}.`),
  grade: listOf(
    'Nutri-Scores from a to e',
    anyOf(NUTRI_SCORES),
    asWritten<(typeof NUTRI_SCORES)[number]>,
  ).describe('Only foods with one of these Nutri-Scores, such as `a,b`.'),
});

type Filters = z.output<typeof filterQuery>;

/** The parameters by facts, of which most foods say nothing. */
const BY_FACTS = ['diet', 'without', 'country', 'category', 'grade'] as const;

/** Undefined if no filter is asked for. */
export function foodFilterOf({
  diet,
  without,
  country,
  category,
  source,
  grade,
}: Filters): FoodFilter | undefined {
  const filter = {
    diet,
    without,
    countries: country && [...country.flatMap(countryTags), WORLD],
    categories: category,
    sources: source,
    grades: grade,
  };
  return Object.values(filter).every((value) => value === undefined) ? undefined : filter;
}

/** The filters in the address of another page. */
export function filterTexts({ diet, without, country, category, source, grade }: Filters) {
  const [withoutText, countryText, categoryText, sourceText, gradeText] = [
    without,
    country,
    category,
    source,
    grade,
  ].map((values) => values?.join(','));
  return {
    diet,
    without: withoutText,
    country: countryText,
    category: categoryText,
    source: sourceText,
    grade: gradeText,
  };
}

/** Tells for which parameters foods were left out because their facts are unknown. */
export function unknownExcluded(filters: Filters): Readonly<Record<string, string>> | undefined {
  const names = BY_FACTS.filter((name) => filters[name] !== undefined);
  return names.length === 0 ? undefined : { 'unknown-excluded': names.join(', ') };
}

// Parameters that several operations on foods read.

export interface FoodsPort {
  readonly foods: FoodDirectory;
}

/** Declarations that operations which read foods share, and those which write them. */
export const foodReading = {
  tag: 'Foods',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'other',
} as const;
export const foodWriting = {
  ...foodReading,
  access: { credential: 'bearer', scope: 'foods:write' },
} as const;

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

type IncludedOfFoods = 'servings' | undefined;

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
