import { FOOD_SOURCES, ORIGINS } from '@larder/core/food.ts';
import { ALLERGENS, allergenOf, NUTRI_SCORES } from '@larder/core/food-facts.ts';
import { z } from 'zod';
import { invalidQuery } from '../../base/list-request.ts';
import type { FoodFilter } from '../../foods/catalogue/catalogue-facts.ts';
import { countryTags, isCountry } from '../../foods/import/off/slice.ts';

/** Of a product that is sold everywhere. */
const WORLD = 'en:world';

// The filters of searches. Each refuses what it does not know, since a filter that is ignored would show foods that nobody asked for.

const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 100;

/** A parameter of words with commas between them. `read` returns undefined for a word that it does not know. */
function listOf<T>(name: string, known: string, read: (word: string) => T | undefined) {
  return z
    .string()
    .optional()
    .transform((typed) => {
      if (typed === undefined) return undefined;
      const words = typed.split(',').map((word) => word.trim().toLowerCase());
      if (words.length > MAX_VALUES)
        throw invalidQuery(name, `"${name}" takes up to ${MAX_VALUES} values.`, MAX_VALUES);
      return words.map((word) => {
        const value = word.length > MAX_VALUE_LENGTH ? undefined : read(word);
        if (value === undefined)
          throw invalidQuery(name, `"${name}" takes ${known}, with commas between them.`);
        return value;
      });
    });
}

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (word: string) =>
    values.find((value) => value === word);

const SOURCES = [...FOOD_SOURCES, ...ORIGINS];

export const filterQuery = z.object({
  diet: z
    .enum(['vegan', 'vegetarian'])
    .optional()
    .describe('Only foods of which a source says so, and none says otherwise.'),
  without: listOf('without', `some of ${Object.keys(ALLERGENS).join(', ')}`, allergenOf)
    .describe(
      `Only foods that state none of these allergens, neither as contained nor as traces: ${Object.keys(ALLERGENS).join(', ')}. ` +
        'It does not promise that a food is safe.',
    )
    .meta({ example: 'milk,gluten' }),
  country: listOf('country', 'codes of countries such as de', (code) => (isCountry(code) ? code : undefined))
    .describe('Only foods sold in one of these countries (ISO 3166).')
    .meta({ example: 'de,at' }),
  category: listOf('category', 'categories such as en:pizzas', (word) => (word === '' ? undefined : word))
    .describe('Only foods of one of these categories, with those below it.')
    .meta({ example: 'en:pizzas' }),
  source: listOf('source', `some of ${SOURCES.join(', ')}`, oneOf(SOURCES))
    .describe(`Only foods of one of these sources: ${SOURCES.join(', ')}.`)
    .meta({ example: 'off' }),
  grade: listOf('grade', 'Nutri-Scores from a to e', oneOf(NUTRI_SCORES))
    .describe('Only foods with one of these Nutri-Scores.')
    .meta({ example: 'a,b' }),
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
