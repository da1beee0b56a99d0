import { FOOD_BASES, type FoodId } from '@larder/core/food.ts';
import { z } from 'zod';
import { toEntryAmounts } from '../../diary/records/amount-fields.ts';
import { isDay, parseMoment } from '../../diary/records/day.ts';
import {
  ADDED_METHODS,
  type BasisText,
  type DiaryEntry,
  MEAL_TYPES,
  parseFoodName,
  parseNote,
  parseUnit,
} from '../../diary/records/entry.ts';
import { type AmountBasis, readBasis, restsOf, writeBasis } from '../../diary/records/snapshot.ts';
import { MAX_QUANTITY } from '../../diary/records/unit-conversion.ts';
import {
  amountFields,
  foodId,
  readRecord,
  recordId,
  restFields,
  time,
  toAmounts,
  unrounded,
  version,
} from './record-fields.ts';

/** Maximum servings of a food. */
const MAX_SERVINGS = 200;
const positive = z.number().positive();

const basisSchema = z.strictObject({
  quantity: positive,
  unit: z.string().min(1).max(200).optional(),
  amounts: unrounded,
  rests: restFields.optional(),
  food: z
    .strictObject({
      basis: z.enum(FOOD_BASES),
      servings: z
        .array(
          z.strictObject({
            value: positive,
            unit: z.string().max(200),
            basisAmount: positive,
            label: z.string().max(500).optional(),
          }),
        )
        .min(1)
        .max(MAX_SERVINGS),
    })
    .optional(),
});

/** An entry as in responses, with the basis for later changes of its quantity. */
const entrySchema = z.strictObject({
  id: recordId,
  version: version.default(1),
  userId: z.string().optional(),
  date: z.string().refine(isDay, 'is no date of the form YYYY-MM-DD'),
  mealType: z.enum(MEAL_TYPES),
  foodName: z.string(),
  ...amountFields,
  foodId: foodId.optional(),
  barcode: z.string().max(100).optional(),
  recipeId: recordId.optional(),
  quantity: positive.max(MAX_QUANTITY).optional(),
  unit: z.string().optional(),
  addedMethod: z.enum(ADDED_METHODS).default('manual'),
  eatenAt: z.string().optional(),
  note: z.string().optional(),
  createdAt: time,
  updatedAt: time,
  basis: basisSchema.optional(),
});

/** JSON omits undefined fields. */
export function toEntryRecord(entry: DiaryEntry): object {
  const { id, date, mealType, foodName, amounts, basis, createdAt, updatedAt } = entry;
  return {
    id,
    version: entry.version,
    date,
    mealType,
    foodName,
    ...toEntryAmounts(amounts),
    foodId: entry.foodId,
    barcode: entry.barcode,
    recipeId: entry.recipeId,
    quantity: entry.quantity,
    unit: entry.unit,
    addedMethod: entry.addedMethod,
    eatenAt: entry.eatenAt,
    note: entry.note,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    basis: basis && toBasisRecord(basis),
  };
}

function toBasisRecord(text: BasisText): object {
  const rests = restsOf(text);
  return { ...readBasis(text), ...(Object.keys(rests).length > 0 && { rests }) };
}

/** Throws `invalid_request` that names the field. */
export function readEntryRecord(value: unknown): DiaryEntry {
  const { userId: _, foodName, unit, eatenAt, note, basis, ...fields } = readRecord(entrySchema, value);
  const entry: DiaryEntry = {
    id: fields.id,
    version: fields.version,
    date: fields.date,
    mealType: fields.mealType,
    foodName: parseFoodName(foodName),
    amounts: toAmounts(fields),
    addedMethod: fields.addedMethod,
    createdAt: fields.createdAt,
    updatedAt: fields.updatedAt,
    ...(fields.foodId !== undefined && { foodId: fields.foodId as FoodId }),
    ...(fields.barcode !== undefined && { barcode: fields.barcode }),
    ...(fields.recipeId !== undefined && { recipeId: fields.recipeId }),
    ...(fields.quantity !== undefined && { quantity: fields.quantity }),
    ...(unit !== undefined && { unit: parseUnit(unit) }),
    ...(eatenAt !== undefined && { eatenAt: parseMoment(eatenAt, 'eatenAt') }),
    ...(note !== undefined && { note: parseNote(note) }),
    ...(basis !== undefined && { basis: toBasisText(basis) }),
  };
  return entry;
}

function toBasisText({ rests = {}, ...basis }: z.output<typeof basisSchema>): BasisText {
  return writeBasis(basis as AmountBasis, rests);
}
