import { z } from 'zod';
import { parseText } from '../../../api/foods/parse-text.ts';
import type { TextObject } from '../../../api/foods/text-json.ts';
import { amounts, ofFood, statedNutrients, sumLine, sumOfFoods } from '../amounts.ts';
import { alsoOfUser, ask, READS, tool } from '../tool.ts';

const MAX_TEXT = 2_000;

export const mealText = z
  .string()
  .min(1)
  .max(MAX_TEXT)
  .describe(
    'Foods and amounts in words, in English, German, French, Spanish, Italian or Portuguese: "2 eggs and 40 g rye bread".',
  );

export const languageInput = z
  .string()
  .optional()
  .describe('Language of the text, such as "de" or "en-GB"; detected if absent.');

const item = z.object({
  text: z.string().describe('The words that name the food.'),
  food: z.object({ foodId: z.string(), name: z.string() }).optional().describe('Absent if not known.'),
  grams: z.number().optional().describe('Milliliters of a food by volume.'),
  servings: z.number().optional().describe('Instead of grams, for a recipe of unknown weight.'),
  amounts: amounts.optional(),
  confidence: z.number().describe('Probability that food and amount are right, 0 to 1.'),
  weightFrom: z.string().optional(),
  assumed: z.array(z.string()).optional().describe('Assumptions that the text does not state.'),
  notUnderstood: z
    .enum(['food', 'amount'])
    .optional()
    .describe('The part that is not known; totals leave it out.'),
  alternatives: z.array(z.object({ foodId: z.string(), name: z.string() })),
});

export const readMealTool = tool({
  name: 'read_meal',
  title: 'Read a meal',
  description: 'Reads foods and amounts in a text and sums them up. Nothing is written.',
  scope: 'foods:read',
  user: 'optional',
  annotations: READS,
  input: z.strictObject({ text: mealText, language: languageInput }),
  output: z.object({
    items: z.array(item),
    totals: z.array(sumLine).describe('Totals of the items that are understood.'),
    notUnderstood: z.int().describe('How many items have notUnderstood.'),
    ignored: z.array(z.string()).describe('Words that belong to no food.'),
  }),
  async run({ text, language }, context) {
    const read = await ask<TextObject>(context, parseText, {
      query: { lang: language },
      body: { text, lang: language, ...alsoOfUser(context) },
    });
    const items = read.items.map(itemOf);
    return {
      items,
      totals: sumOfFoods(
        read.items.flatMap(({ food, unresolved }) =>
          unresolved === undefined && food !== null ? [statedNutrients(food.macros, food.unknown)] : [],
        ),
      ),
      notUnderstood: read.unresolved,
      ignored: read.ignored.map((word) => word.text),
    };
  },
});

function itemOf(read: TextObject['items'][number]): z.infer<typeof item> {
  const { text, food, grams, confidence, note, assumed, unresolved, alternatives } = read;
  const isResolved = food !== null && unresolved === undefined;
  return {
    text,
    confidence,
    assumed: assumed && [...assumed],
    weightFrom: note,
    notUnderstood: unresolved,
    ...(food !== null && { food: { foodId: food.id, name: food.name } }),
    ...(grams !== null && { grams }),
    ...(isResolved && grams === null && { servings: food.servingSize.value }),
    ...(isResolved && { amounts: ofFood(food.macros, food.unknown) }),
    alternatives: alternatives.map(({ id, name }) => ({ foodId: id, name })),
  };
}
