import { MIN_SERVING_AMOUNT } from '@larder/core/rounding.ts';
import { z } from 'zod';
import { USER_ID_PATTERN } from '../../access/api-key.ts';
import type { FoodChange, NewFood } from '../../foods/custom/custom-food-writer.ts';
import {
  type FoodDraft,
  MAX_ALIASES,
  MAX_BRAND_LENGTH,
  MAX_LABEL_LENGTH,
  MAX_NAME_LENGTH,
  MAX_SERVING_AMOUNT,
  MAX_UNIT_LENGTH,
  MEASURED_UNITS,
} from '../../foods/custom/food-draft.ts';
import { withoutReadOnly, withoutUnknown } from '../fields.ts';
import { nutrientFields } from '../nutrients.ts';
import { barcodeText, chosenId, line, WHAT_USER_IDS_ARE } from '../text-schemas.ts';
import { readBody } from '../validation.ts';

/** A higher value in one serving is a typing error. */
const MAX_AMOUNT = 1_000_000;

const amounts = nutrientFields((amount, unit) => amount.min(0).max(MAX_AMOUNT).describe(unit));
const removable = nutrientFields((amount, unit) => amount.min(0).max(MAX_AMOUNT).describe(unit).nullable());
const name = line(MAX_NAME_LENGTH);
const brand = line(MAX_BRAND_LENGTH);
const barcode = barcodeText.describe(
  '6 to 14 digits, or a code as a scanner gives it, of which the number is kept.',
);
const aliases = z
  .array(line(MAX_NAME_LENGTH))
  .max(MAX_ALIASES)
  .describe('Other names that search also finds.');
const servingSize = z
  .strictObject({
    value: z.number().min(MIN_SERVING_AMOUNT).max(MAX_SERVING_AMOUNT),
    unit: line(MAX_UNIT_LENGTH).describe(
      'g, oz, ml, fl_oz, cup, tbsp, tsp, or a household unit with `grams`.',
    ),
    label: line(MAX_LABEL_LENGTH).optional().describe('The household text, for example "1 cup (240 ml)".'),
    grams: z
      .number()
      .min(MIN_SERVING_AMOUNT)
      .max(MAX_SERVING_AMOUNT)
      .optional()
      .describe('Weight of the serving; required if the unit does not determine it.'),
  })
  .meta({
    id: 'ServingSizeInput',
    description: `With a unit other than ${MEASURED_UNITS.join(', ')} also \`grams\`.`,
  });
const macros = z.strictObject(amounts);

const shared = z
  .boolean()
  .describe(
    'Whether all users of the tenant see the food. Keys and sessions share one unless told otherwise, tokens cannot.',
  );
const userId = z
  .string()
  .regex(USER_ID_PATTERN, WHAT_USER_IDS_ARE)
  .describe('The owner of the food. A token can create foods of its own user only.');

export const enteredFoodParams = z.object({
  id: z.string().describe('Id of a custom food.').meta({ example: 'manual:01JZ8Q6T3V0000XW5M8KQ2NCE7' }),
});

export const WHO_CHANGES_FOODS =
  'A token changes foods of its own user alone, a session those and the shared ones; a key all of its tenant, and it decides whose they are.';

/** Response fields that clients cannot write. */
export const READ_ONLY = [
  'id',
  'version',
  'source',
  'created_at',
  'createdAt',
  'updatedAt',
  'nutrients',
  'servings',
  'per100',
  'warnings',
  'unknown',
  'notes',
];
const IGNORED = `${READ_ONLY.map((field) => `\`${field}\``).join(', ')} of an answer may be sent back and are ignored.`;

/** Nutrients that the response listed as unknown are not stored as known zeros. */
function withKnownMacros(body: Readonly<Record<string, unknown>>): object {
  const { macros: sent, unknown } = body;
  if (typeof sent !== 'object' || sent === null) return body;
  return { ...body, macros: withoutUnknown(sent as Record<string, unknown>, unknown) };
}

/** An id from a response contains its origin; an id chosen by a client does not. */
function withoutAnsweredId(body: Readonly<Record<string, unknown>>): object {
  const { id, ...others } = withKnownMacros(body) as Record<string, unknown>;
  return id === undefined || String(id).includes(':') ? others : { id, ...others };
}

export const newFoodSchema = withoutReadOnly(
  z
    .strictObject({
      id: chosenId.optional(),
      name,
      brand: brand.optional(),
      barcode: barcode.optional(),
      aliases: aliases.optional(),
      servingSize,
      macros: macros.partial().required({ energy: true }).meta({
        id: 'MacrosInput',
        description: 'Amounts in one serving. Amounts that you do not give are unknown.',
      }),
      shared: shared.optional(),
      userId: userId.optional(),
    })
    .meta({ id: 'FoodInput', description: IGNORED }),
  READ_ONLY.filter((field) => field !== 'id'),
  withoutAnsweredId,
) as z.ZodType<NewFood>;

/** Parses a food of a file as a new food. Throws `invalid_request`. */
export function readFoodDraft(value: unknown): FoodDraft {
  const { id: _, shared: __, userId: ___, ...draft } = readBody(newFoodSchema, value, 'food does');
  return draft;
}

export const foodChangeSchema = withoutReadOnly(
  z
    .strictObject({
      name: name.optional(),
      brand: brand.nullable().optional(),
      barcode: barcode.nullable().optional(),
      aliases: aliases.nullable().optional(),
      servingSize: servingSize.optional(),
      macros: z
        .strictObject({ ...removable, energy: amounts.energy })
        .partial()
        .meta({ id: 'MacrosPatch', description: 'Only those that change; null makes one unknown.' })
        .optional(),
      shared: shared.optional(),
      userId: userId.optional(),
    })
    .refine((change) => Object.keys(change).length > 0, 'says nothing to change')
    .meta({
      id: 'FoodPatch',
      minProperties: 1,
      description: `Only what changes; null removes. A new servingSize leaves the amounts in a serving as they are. ${IGNORED}`,
    }),
  READ_ONLY,
  withKnownMacros,
) as unknown as z.ZodType<FoodChange>;

export const EXAMPLE_NEW_FOOD: FoodDraft = {
  name: 'Plum jam',
  brand: 'Example Brand',
  barcode: '4006381333931',
  aliases: ['Powidl'],
  servingSize: { value: 20, unit: 'g', label: '1 tbsp (20 g)' },
  macros: { energy: 48, protein: 0.1, fat: 0, carbohydrates: 12, sugars: 11 },
};
