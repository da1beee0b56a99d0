import { z } from 'zod';
import { listFrequentFoods, listRecentFoods } from '../../../api/diary/days.ts';
import type { KnownNutrients } from '../../../api/nutrients.ts';
import { nutrients, rounded } from '../amounts.ts';
import { ask, ofUser, READS, tool } from '../tool.ts';

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
  scope: 'diary:read',
  user: 'required',
  annotations: READS,
  input: z.strictObject({
    order: z.enum(['recent', 'frequent']).default('recent'),
    limit: z.int().min(1).max(MAX_LISTED).default(USUAL_LISTED),
  }),
  output: z.object({ foods: z.array(eatenFood) }),
  async run({ order, limit }, context) {
    const operation = order === 'recent' ? listRecentFoods : listFrequentFoods;
    const listed = await ask<Listed[]>(context, operation, { params: ofUser(context), query: { limit } });
    return { foods: listed.map(foodOf) };
  },
});

function foodOf(food: Listed): z.infer<typeof eatenFood> {
  const { foodName, foodId, recipeId, barcode, quantity, unit, mealType, lastDate, timesEaten } = food;
  const named = { foodName, foodId, recipeId, barcode, quantity, unit };
  return { ...named, nutrients: rounded(food.nutrients), mealType, lastDate, timesEaten };
}
