import { readScannedCode, type ScannedCode } from '@larder/core/codes/scanned-code.ts';
import type { FoodLanguage } from '@larder/core/food-languages.ts';
import { languageOfTag } from '@larder/text/language.ts';
import { readText } from '@larder/text/parse/read-text.ts';
import { z } from 'zod';
import type { Caller } from '../../access/api-key.ts';
import { invalidQuery } from '../../base/list-request.ts';
import {
  type FoodDirectory,
  MAX_QUERY_LENGTH,
  MAX_SEARCH_OFFSET,
  parseSearchText,
} from '../../foods/visible-foods.ts';
import { requireScope, viewerFor, viewerWithRecipes } from '../acting-user.ts';
import { shortName, unknownParameterText } from '../likely-name.ts';
import { rankedPageOf, rankedQuery } from '../lists.ts';
import { type CacheSlot, type Outcome, operation } from '../operation.ts';
import { barcodeText, userIdText } from '../text-schemas.ts';
import { EXAMPLE_FOOD_JSON, exampleOf, foodSchema, scannedFields } from './food-json.ts';
import {
  type FoodsPort,
  filterQuery,
  filterTexts,
  foodFilterOf,
  foodObjects,
  foodReading,
  type IncludedOfLookUp,
  includedFacts,
  includeQuery,
  langQuery,
  langText,
  lookUpIncludeQuery,
  MAX_CACHE_BYTES,
  unknownExcluded,
} from './food-query.ts';
import {
  countAsSearches,
  EXAMPLE_READ_TEXT,
  EXAMPLE_TEXT,
  PARSE_TEXT_LIMIT,
  parseTextFields,
  readTextSchema,
  textInLanguages,
  textObject,
} from './text-json.ts';

export const searchQuery = includeQuery.extend({
  q: z
    .string()
    .optional()
    .describe('Search text. Without it, or with less than 2 characters, the answer is an empty list.')
    .meta({ maxLength: MAX_QUERY_LENGTH, example: 'chocolate spread' })
    .transform(parseSearchText),
  ...langQuery.shape,
  ...filterQuery.shape,
  ...rankedQuery(MAX_SEARCH_OFFSET).shape,
  userId: userIdText
    .optional()
    .describe('Find the foods of this user too, and rank first what this user eats.'),
});

export const searchFoods = operation({
  ...foodReading,
  method: 'GET',
  path: '/v1/foods/search',
  id: 'searchFoods',
  summary: 'Search foods by text',
  description:
    'Best match first. Words may be unfinished; names count more than brands. With `userId` foods that belong to this ' +
    'user are found too, as with a token of the user, and the foods that this user eats come first where they hold ' +
    'everything that was typed; that needs the scope `diary:read` too. With this scope the recipes of the user are found as foods, ' +
    'with `recipeId`; people also find those that others share with them.',
  counts: 'search',
  query: searchQuery,
  answer: {
    description:
      'The foods found, best first; where `offset` was sent, with the address of the next page in Link.',
    headers: ['Link', 'Unknown-Excluded'],
    schema: z.array(foodSchema),
    example: [EXAMPLE_FOOD_JSON],
  },
  // A text that makes the URL too long is rejected with the error for long texts.
  refuseLongUrl: ({ q }) => void parseSearchText(String(q ?? '')),
  keeps: {
    maxBytes: MAX_CACHE_BYTES,
    placeOf({ caller, query }, { foods }: FoodsPort) {
      const { q, lang, limit, offset, include = '', userId } = query;
      const filter = foodFilterOf(query);
      // The user's favourite foods change the order.
      const revision =
        q === undefined || userId !== undefined ? undefined : foods.now(viewerWithRecipes(caller))?.revision;
      if (revision === undefined) return undefined;
      return {
        key: `${limit}${offset === undefined ? '' : `+${offset}`}${include} ${lang.join()} ${filter === undefined ? '' : JSON.stringify(filter)} ${q}`,
        revision,
      };
    },
  },
  handle: async ({ caller, query }, { foods }: FoodsPort) => {
    const { q, lang, limit, offset, include, userId } = query;
    if (userId !== undefined) requireScope(caller, 'diary:read');
    const viewer = viewerWithRecipes(caller, userId);
    if (q === undefined) return { value: [] };
    // All pages are parts of the longest list, so that pages neither repeat nor skip foods.
    const most = offset === undefined ? limit : MAX_SEARCH_OFFSET;
    const filter = foodFilterOf(query);
    const found = await foods.search(viewer, q, most, { eater: userId, languages: lang, filter });
    const toObject = foodObjects(include);
    const headers = unknownExcluded(query);
    if (offset === undefined) return { value: found.map(toObject), headers };
    const parameters = { q, limit, offset, include, userId, lang: langText(lang), ...filterTexts(query) };
    return { ...rankedPageOf(parameters, found, toObject), headers };
  },
});

// Declarations that both look-ups by code share.

const WHAT_CODES_ARE =
  '6 to 14 digits, with spaces, dashes or an add-on; or what scanners make of GS1 symbols: element strings, with or without ' +
  'brackets and symbology identifier, and Digital Links.';

/** The id of a shipped food, so that `/docs` finds it on a new service. */
const SHIPPED_BARCODE = '747599322198';

const codeText = barcodeText
  .describe(WHAT_CODES_ARE)
  .meta({ example: SHIPPED_BARCODE })
  .transform(readScannedCode);

const scannedFoodSchema = foodSchema
  .extend(scannedFields)
  .meta({ id: 'ScannedFood', description: 'A food, and the other data in its code.' });

const codeAnswer = {
  description: 'The food with this barcode.',
  schema: scannedFoodSchema,
  example: { ...(EXAMPLE_FOOD_JSON as object), scanned: { batch: 'AB12', expiryDate: '2026-05-31' } },
};

interface CodeRequest {
  readonly code: ScannedCode;
  readonly include?: IncludedOfLookUp;
  readonly userId?: string | undefined;
  readonly lang: readonly FoodLanguage[];
}

/** Key of the cached response, which includes everything that the code states. */
function cacheSlotOfCode(
  caller: Caller,
  { code: { barcode, facts }, include, userId, lang }: CodeRequest,
  foods: FoodDirectory,
): CacheSlot | undefined {
  const revision = foods.now(viewerFor(caller, userId))?.revision;
  if (revision === undefined) return undefined;
  const said = facts === undefined ? '' : JSON.stringify(facts);
  return { key: `${barcode} ${include ?? ''} ${lang.join()} ${said}`, revision };
}

async function lookUpCode(
  caller: Caller,
  { code, include, userId, lang }: CodeRequest,
  foods: FoodDirectory,
): Promise<Outcome> {
  const { food, others, scanned } = await foods.getByCode(viewerFor(caller, userId), code);
  const toObject = foodObjects(include?.includes('servings') ? 'servings' : undefined);
  const value = toObject(foods.inLanguages(food, lang));
  return {
    value: { ...value, ...(await includedFacts(foods, food, include)), candidates: others, scanned },
    // The revision does not cover foods of external services.
    isKept: food.source !== 'third_party_api',
  };
}

export const getFoodByBarcode = operation({
  ...foodReading,
  method: 'GET',
  path: '/v1/foods/barcode/:upc',
  id: 'getFoodByBarcode',
  summary: 'Look up a food by barcode',
  description: 'With `userId` foods that belong to this user are found too, as with a token of the user.',
  counts: 'barcode',
  params: z.object({ upc: codeText }),
  query: lookUpIncludeQuery.extend({
    ...langQuery.shape,
    userId: userIdText.optional().describe('Find the foods of this user too.'),
  }),
  answer: codeAnswer,
  errors: ['invalid_barcode', 'barcode_not_found'],
  keeps: {
    maxBytes: MAX_CACHE_BYTES,
    placeOf: ({ caller, params: { upc }, query }, { foods }: FoodsPort) =>
      cacheSlotOfCode(caller, { code: upc, ...query }, foods),
  },
  handle: ({ caller, params: { upc }, query }, { foods }: FoodsPort) =>
    lookUpCode(caller, { code: upc, ...query }, foods),
});

export const codeFields = lookUpIncludeQuery.extend({
  code: barcodeText
    .describe(`${WHAT_CODES_ARE} A link may be sent as it is, with its own query.`)
    .meta({ example: '(01)00747599322198(10)AB12' }),
  ...langQuery.shape,
  userId: userIdText.optional().describe('Find the foods of this user too.'),
});

/** The format of GS1 application identifiers. */
const IDENTIFIER = /^\d{2,4}$/;

/**
 * The code, completed with the parts of a link in `others` whose query was not encoded: identifiers are not
 * parameter names.
 */
export function readCodeParameter(
  code: string,
  others: Readonly<Record<string, unknown>>,
  known: readonly string[],
): ScannedCode {
  // Other parameters of a link are for the website.
  const unknown = code.includes('?') ? undefined : Object.keys(others).find((name) => !IDENTIFIER.test(name));
  if (unknown !== undefined) {
    throw invalidQuery(shortName(unknown), unknownParameterText(unknown, known));
  }
  const attributes = Object.entries(others).flatMap(([name, value]) =>
    IDENTIFIER.test(name) && typeof value === 'string' ? [`${name}=${encodeURIComponent(value)}`] : [],
  );
  const whole = attributes.length === 0 ? code : [code, ...attributes].join(code.includes('?') ? '&' : '?');
  return readScannedCode(whole);
}

export const getFoodByCode = operation({
  ...foodReading,
  method: 'GET',
  path: '/v1/foods/barcode',
  id: 'getFoodByCode',
  summary: 'Look up a food by a scanned code',
  description:
    'As `/v1/foods/barcode/{upc}`, for codes that do not fit well into a path, such as links. With `userId` foods that belong ' +
    'to this user are found too.',
  counts: 'barcode',
  query: z.looseObject(codeFields.shape).transform(({ code, include, lang, userId, ...others }) => ({
    code: readCodeParameter(code, others, Object.keys(codeFields.shape)),
    include,
    lang,
    userId,
  })),
  answer: codeAnswer,
  errors: ['invalid_barcode', 'barcode_not_found'],
  keeps: {
    maxBytes: MAX_CACHE_BYTES,
    placeOf: ({ caller, query }, { foods }: FoodsPort) => cacheSlotOfCode(caller, query, foods),
  },
  handle: ({ caller, query }, { foods }: FoodsPort) => lookUpCode(caller, query, foods),
});

export const parseText = operation({
  ...foodReading,
  method: 'POST',
  path: '/v1/foods/parse',
  id: 'parseText',
  summary: 'Read foods and amounts in text',
  description:
    'Finds the foods that a text names, converts their amounts to grams and says where each number comes from. What it cannot ' +
    'resolve is marked with `unresolved`, what it passed over is in `ignored`. With `userId` foods and recipes of this user are found too, and what this user eats is ' +
    'preferred; that needs the scope `diary:read` too.',
  readsOnly: true,
  counts: 'search',
  subjectField: 'userId',
  alsoCounts: ({ text }) => countAsSearches(text),
  query: langQuery,
  body: {
    schema: z
      .strictObject({
        ...parseTextFields,
        userId: userIdText
          .optional()
          .describe('Find the foods of this user too, and prefer what this user eats.'),
      })
      .meta({ id: 'TextInput' }),
    example: EXAMPLE_TEXT,
    limit: PARSE_TEXT_LIMIT,
  },
  answer: {
    description: 'The foods in the order of the text, and their sums.',
    schema: readTextSchema(foodSchema, ''),
    example: exampleOf(EXAMPLE_READ_TEXT),
  },
  handle: async ({ caller, query, body: { text, lang, context, userId } }, { foods }: FoodsPort) => {
    if (userId !== undefined) requireScope(caller, 'diary:read');
    // Lines of recipes name foods: "tomato sauce" of a lasagne is not the own recipe of that name.
    const viewer = context === 'recipe' ? viewerFor(caller, userId) : viewerWithRecipes(caller, userId);
    const favourites = await foods.favouritesOf(viewer, userId);
    const finder = await foods.of(viewer);
    const language = lang === undefined ? undefined : languageOfTag(lang);
    const asRead = await readText(text, { finder, language, favourites, context });
    const read = textInLanguages(asRead, (food) => finder.inLanguages(food, query.lang));
    return { value: textObject(read) };
  },
});
