import { z } from 'zod';
import {
  type EntryInput,
  givenOf,
  SOURCE_FIELDS,
  SOURCES,
  type SourceField,
} from '../../diary/entry-input.ts';
import { MAX_BATCH_ENTRIES } from '../../diary/records/entry.ts';
import { MAX_SCAN_ITEMS } from '../../scan/scan-result.ts';
import { withoutReadOnly } from '../fields.ts';
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
import { withoutUnknown } from './entry-json.ts';

/** The fields that state the eaten food: exactly one of the five sources, with its additional fields. */
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
  scanJobId: 'ScanEntryInput',
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
  })
  .meta({ id: 'ScannedItemInput' });

const newEntry = z.strictObject({
  id: chosenId.optional(),
  date: realDate,
  mealType,
  ...portionFields,
  recipeId: z.string().optional().describe('With quantity and unit "serving".'),
  scanJobId: z.string().optional().describe('A completed scan: creates an entry for each of its items.'),
  items: z
    .array(scannedItem)
    .min(1)
    .max(MAX_SCAN_ITEMS)
    .optional()
    .describe('With scanJobId: the items to write, each with what the user changed. Others are left out.'),
  saveUnsure: z
    .boolean()
    .optional()
    .describe(
      'With scanJobId: write `unsure` items too. Without this and `items` a scan that has some is refused.',
    ),
  addedMethod: addedMethod.optional().describe('When absent it is derived from the other fields.'),
  eatenAt: eatenAt.optional(),
  note: note.optional(),
});

/** Fields of an answered entry that say nothing about a new one. */
const IGNORED = ['version', 'userId', 'createdAt', 'updatedAt', 'unknown', 'warnings', 'lang'];

export const newEntrySchema = withoutReadOnly(
  newEntry.meta({
    id: 'DiaryBatchEntry',
    description: 'Exactly one of foodName, foodId, barcode, recipeId, scanJobId.',
    variants: SOURCE_FIELDS.map(describeSource),
  }),
  IGNORED,
  (body) => withoutUnknown(body, undefined),
) as z.ZodType<EntryInput>;
/** Reads an entry from a body that may also be a text. The error of a missing source names the text, too. */
export const entryOrTextSchema = newEntrySchema.transform((entry) => {
  givenOf<string>({ ...entry }, [...SOURCE_FIELDS, 'text']);
  return entry;
});
/** Describes bodies that become a single entry. */
export const oneEntrySchema = newEntry.meta({
  id: 'DiaryEntryInput',
  description: 'Exactly one of foodName, foodId, barcode, recipeId.',
  variants: SOURCE_FIELDS.filter((source) => source !== 'scanJobId').map(describeSource),
});
export const newEntriesSchema: z.ZodType<EntryInput[]> = z
  .array(newEntrySchema)
  .min(1)
  .max(MAX_BATCH_ENTRIES);
