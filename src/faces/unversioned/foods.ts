import { FOOD_LANGUAGES } from '@larder/core/food-languages.ts';
import { z } from 'zod';
import {
  EXAMPLE_FOOD,
  type FoodObject,
  foodObject,
  inBasis,
  notesSchema,
  scannedFields,
  unit,
} from '../../api/foods/food-json.ts';
import {
  codeFields,
  getFoodByBarcode as getByBarcode,
  getFoodByCode as getByCode,
  parseText as parse,
  readCodeParameter,
  searchFoods as search,
} from '../../api/foods/food-look-ups.ts';
import { includeQuery, langQuery } from '../../api/foods/food-query.ts';
import { customFoodsQuery, listFoods as list } from '../../api/foods/foods.ts';
import {
  EXAMPLE_READ_TEXT,
  EXAMPLE_TEXT,
  PARSE_TEXT_LIMIT,
  parseTextFields,
  readTextSchema,
  type TextObject,
} from '../../api/foods/text-json.ts';
import { nutrientsSchema } from '../../api/nutrients.ts';
import { unversioned } from './face.ts';

const TAG = 'Foods (unversioned)';

export const macrosSchema = z
  .object({
    calories: z.number().min(0).describe('kcal'),
    protein: z.number().min(0).describe('g'),
    carbs: z.number().min(0).describe('g'),
    fat: z.number().min(0).describe('g'),
  })
  .meta({ id: 'UnversionedMacros' });

const amount = z.number().positive();
export const servingSchema = z.object({ amount, unit }).meta({ id: 'UnversionedServingSize' });

export const foodSchema = z
  .object({
    id: z.string().describe('Origin and its own key. It does not change when data is imported again.'),
    name: z.string(),
    lang: z.enum(FOOD_LANGUAGES).optional().describe('Language of `name`, if the request asked for it.'),
    brand: z.string().nullable(),
    serving: servingSchema,
    macros: macrosSchema.describe('Amounts in one serving.'),
    nutrients: nutrientsSchema.describe('Amounts in `serving`.'),
    recipeId: z.string().optional().describe('The recipe that this food is.'),
    unknown: z
      .array(z.enum(['calories', 'protein', 'carbs', 'fat']))
      .optional()
      .describe('Macros that are unknown and therefore 0.'),
    notes: notesSchema.optional(),
    servings: z
      .array(z.object({ amount, unit, ...inBasis }).meta({ id: 'UnversionedServing' }))
      .optional()
      .describe('All of them, first `serving`. With `include=servings`.'),
    per100: nutrientsSchema
      .optional()
      .describe('Amounts in 100 g, or in 100 ml if `servings` are in milliliters. Comes with `servings`.'),
  })
  .meta({ id: 'UnversionedFood', description: 'A food, its nutrients scaled to `serving`.' });

/** Names of this variant for the nutrients that every food has. */
const WORDS = { energy: 'calories', protein: 'protein', carbohydrates: 'carbs', fat: 'fat' } as const;

export function foodInWords(food: FoodObject): z.infer<typeof foodSchema> {
  const { id, name, lang, brand = null, servingSize, macros, nutrients, recipeId, unknown } = food;
  const { notes, servings, per100 } = food;
  return {
    id,
    name,
    lang,
    brand,
    serving: { amount: servingSize.value, unit: servingSize.unit },
    macros: macrosInWords(macros),
    nutrients,
    recipeId,
    unknown: unknown?.map((key) => WORDS[key as keyof typeof WORDS]),
    notes,
    servings: servings?.map(({ value, ...others }) => ({ amount: value, ...others })),
    per100,
  };
}

export function macrosInWords(macros: FoodObject['macros']): z.infer<typeof macrosSchema> {
  const { energy, protein, carbohydrates, fat } = macros;
  return { calories: energy, protein, carbs: carbohydrates, fat };
}

const example = JSON.parse(JSON.stringify(foodInWords(foodObject(EXAMPLE_FOOD))));

const searchFoods = unversioned(search, {
  id: 'searchFoods',
  path: '/foods/search',
  tag: TAG,
  description: 'Best match first. Words may be unfinished; names count more than brands.',
  answer: { schema: z.array(foodSchema), example: [example] },
  inWords: foodInWords,
});

const parseText = unversioned(parse, {
  id: 'parseText',
  path: '/foods/parse',
  tag: TAG,
  description:
    'Finds the foods that a text names, converts their amounts to grams and says where each number comes from. What it cannot ' +
    'resolve is marked with `unresolved`.',
  body: {
    schema: z.strictObject(parseTextFields).meta({ id: 'UnversionedTextInput' }),
    example: EXAMPLE_TEXT,
    limit: PARSE_TEXT_LIMIT,
  },
  answer: {
    schema: readTextSchema(foodSchema, 'Unversioned'),
    example: JSON.parse(JSON.stringify(textInWords(EXAMPLE_READ_TEXT))),
  },
  inWords: textInWords,
});

function textInWords({ items, ...sums }: TextObject) {
  const itemsInWords = items.map((item) => ({
    ...item,
    food: item.food && foodInWords(item.food),
    alternatives: item.alternatives.map(foodInWords),
  }));
  return { items: itemsInWords, ...sums };
}

const scannedAnswer = {
  schema: foodSchema.extend(scannedFields).meta({
    id: 'UnversionedScannedFood',
    description: 'A food, and the other data in its code.',
  }),
  example: { ...example, scanned: { batch: 'AB12', expiryDate: '2026-05-31' } },
};

const getFoodByBarcode = unversioned(getByBarcode, {
  id: 'getFoodByBarcode',
  path: '/foods/barcode/:upc',
  tag: TAG,
  query: includeQuery.extend(langQuery.shape),
  answer: scannedAnswer,
  inWords: scannedInWords,
});

const getFoodByCode = unversioned(getByCode, {
  id: 'getFoodByCode',
  path: '/foods/barcode',
  tag: TAG,
  description: 'As `/foods/barcode/{upc}`, for codes that do not fit well into a path, such as links.',
  query: z
    .looseObject({ ...codeFields.omit({ userId: true }).shape, ...includeQuery.shape })
    .transform(({ code, include, lang, ...others }) => ({
      code: readCodeParameter(code, others, ['code', 'include', 'lang']),
      include,
      lang,
    })),
  answer: scannedAnswer,
  inWords: scannedInWords,
});

function scannedInWords(food: FoodObject) {
  const { candidates, scanned } = food;
  return { ...foodInWords(food), candidates, scanned };
}

const listFoods = unversioned(list, {
  id: 'listFoods',
  path: '/foods',
  tag: TAG,
  description: 'All of the tenant, in the order of creation, a page at a time.',
  query: customFoodsQuery.extend(includeQuery.shape),
  answer: { schema: z.array(foodSchema), example: [example] },
  inWords: (food: FoodObject, { query }) => {
    const { servings, per100, ...plain } = foodInWords(food);
    return query.include === undefined ? plain : { ...plain, servings, per100 };
  },
});

export const unversionedFoods = [searchFoods, parseText, getFoodByBarcode, getFoodByCode, listFoods] as const;
