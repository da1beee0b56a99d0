import { z } from 'zod';
import type { FoodObject } from '../../../api/foods/food-json.ts';
import { getFoodByCode } from '../../../api/foods/food-look-ups.ts';
import { foodOf, foodResult, namesLang } from '../foods.ts';
import { ask, READS, tool } from '../tool.ts';

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
