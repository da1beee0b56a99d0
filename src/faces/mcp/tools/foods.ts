import { z } from 'zod';
import { listFrequentFoods, listRecentFoods } from '../../../api/diary/days.ts';
import type { FoodObject } from '../../../api/foods/food-json.ts';
import { getFoodByCode, searchFoods } from '../../../api/foods/food-look-ups.ts';
import type { KnownNutrients } from '../../../api/nutrients.ts';
import { nutrients, rounded } from '../amounts.ts';
import { foodOf, foodResult, namesLang } from '../foods.ts';
import { alsoOfUser, ask, ofUser, READS, readsDiary, tool } from '../tool.ts';

/** A model reads all of an answer, so lists are shorter than those for apps. */
const MAX_FOUND = 20;
const USUAL_FOUND = 5;

export const searchFoodsTool = tool({
  name: 'search_foods',
  title: 'Search foods',
  description:
    'Finds foods by name or brand, and own recipes, best first, with their nutrients and servings.',
  scope: 'foods:read',
  user: 'optional',
  annotations: READS,
  input: z.strictObject({
    query: z.string().min(2).describe('Such as "banana" or "oat milk barista".'),
    lang: namesLang,
    limit: z.int().min(1).max(MAX_FOUND).default(USUAL_FOUND),
  }),
  output: z.object({ foods: z.array(foodResult) }),
  async run({ query, lang, limit }, context) {
    const found = await ask<FoodObject[]>(context, searchFoods, {
      query: { q: query, lang, limit, include: 'servings', ...alsoOfUser(context) },
    });
    return { foods: found.map(foodOf) };
  },
});

export const lookupBarcodeTool = tool({
  name: 'lookup_barcode',
  title: 'Look up a barcode',
  description: 'Finds the food with a barcode.',
  scope: 'foods:read',
  user: 'optional',
  // A service may be configured to ask external services for an unknown barcode.
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({
    barcode: z.string().describe('6 to 14 digits, or what a scanner gives of a GS1 code or link.'),
    lang: namesLang,
  }),
  output: z.object({
    food: foodResult,
    candidates: z
      .array(z.object({ foodId: z.string(), name: z.string(), brand: z.string().optional() }))
      .optional()
      .describe('Products with the same number.'),
  }),
  async run({ barcode, lang }, context) {
    const food = await ask<FoodObject>(context, getFoodByCode, {
      query: { code: barcode, lang, include: 'servings', userId: context.userId },
    });
    const candidates = food.candidates?.map(({ id, name, brand }) => ({ foodId: id, name, brand }));
    return { food: foodOf(food), candidates };
  },
});

const MAX_LISTED = 50;
const USUAL_LISTED = 10;

const eatenFood = z.object({
  foodName: z.string(),
  foodId: z.string().optional(),
  recipeId: z.string().optional(),
  barcode: z.string().optional(),
  quantity: z.number().optional(),
  unit: z.string().optional(),
  nutrients,
  mealType: z.string(),
  lastDate: z.string(),
  timesEaten: z.int(),
});

type Listed = Omit<z.infer<typeof eatenFood>, 'nutrients'> & { readonly nutrients: KnownNutrients };

export const recentFoodsTool = tool({
  name: 'recent_foods',
  title: 'Foods eaten before',
  description: 'Foods of the diary, each once, as it was last eaten: the latest or the most frequent ones.',
  ...readsDiary,
  input: z.strictObject({
    order: z.enum(['recent', 'frequent']).default('recent'),
    limit: z.int().min(1).max(MAX_LISTED).default(USUAL_LISTED),
  }),
  output: z.object({ foods: z.array(eatenFood) }),
  async run({ order, limit }, context) {
    const operation = order === 'recent' ? listRecentFoods : listFrequentFoods;
    const listed = await ask<Listed[]>(context, operation, { params: ofUser(context), query: { limit } });
    return { foods: listed.map(eatenFoodOf) };
  },
});

function eatenFoodOf(food: Listed): z.infer<typeof eatenFood> {
  const { foodName, foodId, recipeId, barcode, quantity, unit, mealType, lastDate, timesEaten } = food;
  const named = { foodName, foodId, recipeId, barcode, quantity, unit };
  return { ...named, nutrients: rounded(food.nutrients), mealType, lastDate, timesEaten };
}
