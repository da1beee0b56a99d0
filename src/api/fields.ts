import { z } from 'zod';
import { FOOD_WARNINGS } from '../foods/custom/food-warnings.ts';

/** A time in responses: ISO 8601 in UTC, to the millisecond. */
export function isoTime(unixMs: number): string {
  return new Date(unixMs).toISOString();
}

/** The version of a record in responses. */
export const recordVersion = z
  .int()
  .min(1)
  .describe('Grows with each change. Send it in quotes as `If-Match`.');

/**
 * A body schema that removes `readOnly` fields before validation, so that clients can change a response and
 * send it back. `prepare` removes other parts that only responses have.
 */
export function withoutReadOnly<Schema extends z.ZodType>(
  schema: Schema,
  readOnly: readonly string[],
  prepare: (body: Readonly<Record<string, unknown>>) => object = (body) => body,
): z.ZodPreprocess<Schema> {
  return z.preprocess((body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const prepared = prepare(body as Record<string, unknown>);
    return Object.fromEntries(Object.entries(prepared).filter(([name]) => !readOnly.includes(name)));
  }, schema);
}

/** Response fields that state how an ingredient or an entry was interpreted. */
export const understandingFields = {
  confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('For text: probability that food and amount are right.'),
  note: z
    .string()
    .optional()
    .describe('For text: origin of the weight, such as `weight` or `serving "1 medium"`.'),
  assumed: z
    .array(z.string())
    .optional()
    .describe('For text: facts that the text does not state and that were assumed.'),
};

export const warningSchema = z
  .object({
    code: z.enum(FOOD_WARNINGS),
    field: z.string().describe('The field that looks wrong.'),
    message: z.string().describe('For a person; may change.'),
    foodId: z
      .string()
      .optional()
      .describe('Only with `entered_before`: id of the first food with this name and these values.'),
  })
  .meta({ id: 'FoodWarning' });
