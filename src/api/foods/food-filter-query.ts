import { FOOD_SOURCES, ORIGINS } from '@larder/core/food.ts';
import { ALLERGENS, allergenOf, NUTRI_SCORES } from '@larder/core/food-facts.ts';
import { z } from 'zod';
import type { FoodFilter } from '../../foods/catalogue/catalogue-facts.ts';
import { countryTags, isCountry } from '../../foods/import/off/slice.ts';

/** Of a product that is sold everywhere. */
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
