import { z } from 'zod';
import { parseText } from '../../../api/foods/food-look-ups.ts';
import type { TextObject } from '../../../api/foods/text-json.ts';
import { nutrients, rounded, sumLine, sumOfFoods } from '../amounts.ts';
import { alsoOfUser, ask, READS, tool } from '../tool.ts';

const MAX_TEXT = 2_000;

export const mealText = z
  .string()
  .min(1)
  .max(MAX_TEXT)
  .describe(
    'Foods and amounts in words, in English, German, French, Spanish, Italian or Portuguese: "2 eggs and 40 g rye bread".',
  );

export const langInput = z
  .string()
  .optional()
  .describe('Language of the text, such as "de" or "en-GB"; detected if absent.');

const item = z.object({
  text: z.string().describe('The words that name the food.'),
  food: z.object({ foodId: z.string(), name: z.string() }).optional().describe('Absent if not known.'),
  grams: z.number().optional().describe('Milliliters of a food by volume.'),
  servings: z.number().optional().describe('Instead of grams, for a recipe of unknown weight.'),
  nutrients: nutrients.optional(),
  confidence: z.number().describe('Probability that food and amount are right, 0 to 1.'),
  note: z.string().optional().describe('Source of grams.'),
  assumed: z.array(z.string()).optional().describe('Assumptions that the text does not state.'),
  unresolved: z
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
  input: z.strictObject({ text: mealText, lang: langInput }),
  output: z.object({
    items: z.array(item),
    totals: z.array(sumLine).describe('Totals of the items without `unresolved`.'),
    unresolvedCount: z.int().describe('How many items have `unresolved`.'),
    ignored: z.array(z.string()).describe('Words that belong to no food.'),
  }),
  async run({ text, lang }, context) {
    const read = await ask<TextObject>(context, parseText, {
      query: { lang },
      body: { text, lang, ...alsoOfUser(context) },
    });
    const items = read.items.map(itemOf);
    return {
      items,
      totals: sumOfFoods(
        read.items.flatMap(({ food, unresolved }) =>
          unresolved === undefined && food !== undefined ? [food.nutrients] : [],
        ),
      ),
      unresolvedCount: read.unresolvedCount,
      ignored: read.ignored.map((word) => word.text),
    };
  },
});

function itemOf(read: TextObject['items'][number]): z.infer<typeof item> {
  const { text, food, grams, confidence, note, assumed, unresolved, alternatives } = read;
  const isResolved = food !== undefined && unresolved === undefined;
  return {
    text,
    confidence,
    assumed: assumed && [...assumed],
    note,
    unresolved,
    ...(food !== undefined && { food: { foodId: food.id, name: food.name } }),
    ...(grams !== undefined && { grams }),
    ...(isResolved && grams === undefined && { servings: food.servingSize.value }),
    ...(isResolved && { nutrients: rounded(food.nutrients) }),
    alternatives: alternatives.map(({ id, name }) => ({ foodId: id, name })),
  };
}
