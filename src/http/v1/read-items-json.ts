import { z } from 'zod';

// What answers say of text that was read, in recipes and in the diary.

/** How an ingredient or entry was understood. */
export const understandingFields = {
  confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Of text that was read: probability that food and amount are right.'),
  note: z
    .string()
    .optional()
    .describe('Of text that was read: where its weight comes from, such as `weight`, `serving "1 medium"`.'),
  assumed: z
    .array(z.string())
    .optional()
    .describe('Of text that was read: what it does not say and was assumed.'),
};

const candidateSchema = z
  .object({ id: z.string(), name: z.string(), brand: z.string().optional() })
  .meta({ id: 'FoodCandidate', description: 'A food that may be meant.' });

export const unresolvedItemsSchema = z.array(
  z
    .object({
      index: z
        .int()
        .min(0)
        .describe('Of the line among the ingredients, or of the item among those of the text.'),
      text: z.string().describe('The line, or the words that name the food.'),
      start: z.int().min(0).describe('Where the words begin, in UTF-16 units: in the line or text.'),
      end: z.int().min(0).describe('Where they end.'),
      line: z.int().min(0).optional().describe('Of a text of several lines: which one, from 0.'),
      unresolved: z.enum(['food', 'amount']).describe('What is not known.'),
      candidates: z.array(candidateSchema).describe('Up to 5.'),
    })
    .meta({ id: 'UnresolvedItem', description: 'Words of a text that cannot be written down.' }),
);
