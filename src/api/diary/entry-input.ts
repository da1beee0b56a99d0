import { MIN_SERVING_AMOUNT } from '@larder/core/rounding.ts';
import { z } from 'zod';
import {
  type EntryInput,
  type ScanEntriesInput,
  SOURCE_FIELDS,
  SOURCES,
  type SourceField,
} from '../../diary/entry-input.ts';
import { MAX_BATCH_ENTRIES } from '../../diary/records/entry.ts';
import { MAX_SERVING_AMOUNT } from '../../foods/custom/food-draft.ts';
import { MAX_SCAN_ITEMS } from '../../scan/scan-result.ts';
import { withoutReadOnly, withoutUnknown } from '../fields.ts';
import type { Variant } from '../operation.ts';
import { barcodeText, chosenId } from '../text-schemas.ts';
import {
  addedMethod,
  eatenAt,
  foodName,
  mealType,
  note,
  optionalAmounts,
  quantity,
  realDate,
  unit,
} from './diary-fields-schema.ts';

/** The fields that state the eaten food: exactly one of the four sources, with its additional fields. */
export const portionFields = {
  foodName: foodName.optional().describe('Needs calories, and protein, carbs and fat if they are known.'),
  ...optionalAmounts,
  foodId: z.string().optional().describe('With quantity and unit; the amounts are computed.'),
  barcode: barcodeText
    .optional()
    .describe(
      'With quantity and unit, unless the code states a weight (GS1 310x); the amounts are computed. As a scanner gives it.',
    ),
  quantity: quantity.optional(),
  unit: unit.optional(),
};

/** Names in the OpenAPI document for an entry of each source. */
const VARIANT_IDS: Readonly<Record<SourceField, string>> = {
  foodName: 'NamedEntryInput',
  foodId: 'FoodEntryInput',
  barcode: 'BarcodeEntryInput',
  recipeId: 'RecipeEntryInput',
};

/** Descriptions of the fields that belong to one source; `sourceOf` checks them. */
function describeSource(source: SourceField): Variant {
  const { required, refused } = SOURCES[source];
  const others = SOURCE_FIELDS.filter((other) => other !== source);
  // The code of a package may state its amount.
  const needed = source === 'barcode' ? [] : required;
  return { id: VARIANT_IDS[source], required: [source, ...needed], without: [...others, ...refused] };
}

const scannedItem = z
  .strictObject({
    index: z
      .int()
      .min(0)
      .max(MAX_SCAN_ITEMS - 1)
      .describe('Position in `items` of the result, from 0.'),
    name: foodName
      .optional()
      .describe('Name of the entry, such as for a label, of which only the values were read.'),
    foodId: z
      .string()
      .optional()
      .describe(
        'Another food, such as one of the `alternatives`: as much of it, unless `quantity` or `unit` is given.',
      ),
    quantity: quantity.optional().describe('As scanned when absent.'),
    unit: unit.optional(),
    servingGrams: z
      .number()
      .min(MIN_SERVING_AMOUNT)
      .max(MAX_SERVING_AMOUNT)
      .optional()
      .describe(
        'Weight of `servingSize` of an item with `weightUnknown`, in g; with it the entry can be in g, too.',
      ),
  })
  .meta({ id: 'ScannedItemInput' });

/** Fields of an answered entry that say nothing about a new one. */
const IGNORED = ['version', 'userId', 'createdAt', 'updatedAt', 'unknown', 'warnings', 'lang'];

const place = {
  date: realDate,
  mealType,
  addedMethod: addedMethod.optional().describe('When absent it is derived from the other fields.'),
  eatenAt: eatenAt.optional(),
  note: note.optional(),
};

export const newEntrySchema = withoutReadOnly(
  z
    .strictObject({
      id: chosenId.optional(),
      ...place,
      ...portionFields,
      recipeId: z.string().optional().describe('With quantity and unit "serving".'),
    })
    .meta({
      id: 'DiaryEntryInput',
      description: 'Exactly one of foodName, foodId, barcode, recipeId.',
      variants: SOURCE_FIELDS.map(describeSource),
    }),
  IGNORED,
  (body) => withoutUnknown(body, body['unknown']),
) as z.ZodType<EntryInput>;

/** Bodies that belong to other addresses, by a field that only they have. */
const ELSEWHERE = { text: 'text', scanJobId: 'scan' } as const;

/** One entry; the error about another body names the address of that. */
export const oneEntrySchema: z.ZodType<EntryInput> = z.preprocess((body, context) => {
  const refuse = (message: string, path: string[]) =>
    context.issues.push({ code: 'custom', input: body, path, message });
  if (Array.isArray(body)) refuse('an array of entries must be sent to POST …/diary/batch', []);
  else if (typeof body === 'object' && body !== null) {
    for (const [field, address] of Object.entries(ELSEWHERE).filter(([name]) => Object.hasOwn(body, name)))
      refuse(`must be sent to POST …/diary/${address}`, [field]);
  }
  return body;
}, newEntrySchema);

export const newEntriesSchema: z.ZodType<EntryInput[]> = z
  .array(newEntrySchema)
  .min(1)
  .max(MAX_BATCH_ENTRIES);

export const scanEntriesSchema: z.ZodType<ScanEntriesInput> = z
  .strictObject({
    ...place,
    scanJobId: z.string().describe('A completed scan.'),
    items: z
      .array(scannedItem)
      .min(1)
      .max(MAX_SCAN_ITEMS)
      .optional()
      .describe('The items to write, each with what the user changed. Others are left out.'),
    saveUnsure: z
      .boolean()
      .optional()
      .describe('Write `unsure` items too. Without this and `items` a scan that has some is refused.'),
  })
  .meta({ id: 'ScanEntriesInput', description: 'An entry for each item of the scan.' });
