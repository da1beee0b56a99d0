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
