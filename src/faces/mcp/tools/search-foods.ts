import { z } from 'zod';
import type { FoodObject } from '../../../api/foods/food-json.ts';
import { searchFoods } from '../../../api/foods/food-look-ups.ts';
import { foodOf, foodResult, namesLang } from '../foods.ts';
import { alsoOfUser, ask, READS, tool } from '../tool.ts';

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
