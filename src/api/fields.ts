import { z } from 'zod';
import { FOOD_WARNINGS } from '../foods/custom/food-warnings.ts';

const DAY_MS = 86_400_000;
/** The numbers from 0 to 59 and to 999 as times have them. */
const OF_60 = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const OF_1000 = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));
/** Maximum cached day prefixes of times (the text up to the T); further ones are computed each time. */
const MAX_DAYS_KEPT = 4_096;
const textsOfDays = new Map<number, string>();

/**
 * A time in responses: ISO 8601 in UTC, to the millisecond. `toISOString` takes five times as long, a tenth of the time of a list. The
 * times of responses are of few days.
 */
export function isoTime(unixMs: number): string {
  const day = Math.floor(unixMs / DAY_MS);
  let textOfDay = textsOfDays.get(day);
  if (textOfDay === undefined) {
    textOfDay = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    if (textsOfDays.size >= MAX_DAYS_KEPT) textsOfDays.clear();
    textsOfDays.set(day, textOfDay);
  }
  const ms = unixMs - day * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${textOfDay}${OF_60[hours]}:${OF_60[minutes % 60]}:${OF_60[seconds % 60]}.${OF_1000[ms % 1_000]}Z`;
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

/** Replaces the 0 that an answer has for the amounts that it lists as `unknown`: by nothing, or by null in a change of fields that it removes. */
export function withoutUnknown(
  amounts: Readonly<Record<string, unknown>>,
  unknown: unknown,
  instead: null | undefined = undefined,
): object {
  if (!Array.isArray(unknown)) return amounts;
  const known = Object.entries(amounts).map(([key, amount]) => [
    key,
    amount === 0 && unknown.includes(key) ? instead : amount,
  ]);
  return Object.fromEntries(known.filter(([, amount]) => amount !== undefined));
}

/** Response fields that state how an ingredient or an entry was interpreted. */
export const interpretationFields = {
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
