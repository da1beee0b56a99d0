import { AppError } from '@larder/core/errors.ts';
import type { Food, FoodId } from '@larder/core/food.ts';
import { REGISTRY } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import { recordIdsOf } from '../../base/time-ordered-id.ts';
import { type AmountFields, flatAmounts } from '../../diary/records/amount-fields.ts';
import {
  AMOUNT_KEYS,
  AMOUNT_LIMITS,
  AMOUNT_OF,
  type AmountKey,
  type Amounts,
  MAIN_AMOUNTS,
  type Rests,
} from '../../diary/records/entry.ts';
import { BILLIONTHS_PER_THOUSANDTH, toThousandths } from '../../diary/records/exact-amount.ts';
import {
  MAX_MEASURED,
  MEASUREMENT_UNITS,
  type Measurement,
  parseMeasurementName,
  parseMeasurementTime,
} from '../../diary/records/measurement.ts';
import { type FoodDraft, toCustomFood, toFoodDraft } from '../../foods/custom/food-draft.ts';

// Fields that all records of an export have.

/** The latest time that `Date` can write with a year of four digits. */
const LATEST_MS = Date.UTC(9999, 11, 31);

/** A time in ms, written as in responses. */
export const time = z.iso.datetime().transform((text) => Math.min(Date.parse(text), LATEST_MS));
export const version = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
export const recordId = z.string().refine((id) => recordIdsOf(id)[0] === id, 'is no ULID or UUID');
/** Form of a food id: `origin:key`. */
export const foodId = z.string().regex(/^[a-z]{1,20}:[A-Za-z0-9._-]{1,60}$/, 'is no id of a food');

const amounts = new Map<number, z.ZodOptional<z.ZodNumber>>();
/** Amounts with the same limit share a schema, which takes about a kilobyte. */
function amountOf(key: AmountKey) {
  const max = AMOUNT_LIMITS[key];
  const known = amounts.get(max) ?? z.number().min(0).max(max).optional();
  amounts.set(max, known);
  return known;
}

/** Amounts as in responses: all in `nutrients`, and six in separate fields, too. */
export const amountFields = {
  ...Object.fromEntries(MAIN_AMOUNTS.map((key) => [key, amountOf(key)])),
  nutrients: z
    .strictObject(Object.fromEntries(REGISTRY.map(({ key }) => [key, amountOf(AMOUNT_OF[key])])))
    .optional(),
  unknown: z.array(z.enum(AMOUNT_KEYS)).optional(),
};

/** Amounts of any size, by key. */
const anySize = z.number().min(0).optional();
export const unrounded = z.strictObject(Object.fromEntries(AMOUNT_KEYS.map((key) => [key, anySize])));

const MAX_REST = BILLIONTHS_PER_THOUSANDTH / 2;
const rest = z.int().min(-MAX_REST).lt(MAX_REST).optional();
export const restFields = z
  .strictObject(Object.fromEntries(AMOUNT_KEYS.map((key) => [key, rest])))
  .transform((rests) => rests as Rests);

/** The amounts of a record, except those that it marks as unknown. */
export function toAmounts(
  fields: AmountFields & { readonly unknown?: readonly AmountKey[] | undefined },
): Amounts {
  const stated = Object.entries(flatAmounts(fields)) as [AmountKey, number][];
  const known = stated.filter(([key]) => fields.unknown?.includes(key) !== true);
  return Object.fromEntries(known.map(([key, amount]) => [key, toThousandths(amount)])) as Amounts;
}

/** Reads a record by its schema. Throws `invalid_request` that names the field. */
export function readRecord<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
  const field = path.map(String).join('.');
  throw new AppError({
    code: 'invalid_request',
    message: field === '' ? `${message}.` : `"${field}": ${message}.`,
    details: { fields: [field] },
  });
}

const measurementSchema = z.strictObject({
  id: recordId,
  version,
  name: z.string(),
  value: z.number().min(0).max(MAX_MEASURED),
  unit: z.enum(MEASUREMENT_UNITS),
  measuredAt: z.string(),
  createdAt: time,
  updatedAt: time,
});

export function toMeasurementRecord({ createdAt, updatedAt, ...measurement }: Measurement): object {
  const { id, version: changes, name, value, unit, measuredAt } = measurement;
  return {
    ...{ id, version: changes, name, value, unit, measuredAt },
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** Throws `invalid_request` that names the field. */
export function readMeasurementRecord(value: unknown): Measurement {
  const { name, measuredAt, ...fields } = readRecord(measurementSchema, withMeasuredAt(value));
  return { ...fields, name: parseMeasurementName(name), measuredAt: parseMeasurementTime(measuredAt) };
}

/** Files of versions before 1.0.0 name the field `time`. */
function withMeasuredAt(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('time' in value) || 'measuredAt' in value)
    return value;
  const { time: measuredAt, ...others } = value;
  return { ...others, measuredAt };
}

/** Reads a food in the form of `POST /v1/foods`. Throws `invalid_request`. */
export type ReadDraft = (value: unknown) => FoodDraft;

const stampSchema = z.looseObject({
  id: foodId.startsWith('manual:', 'is no id of a custom food'),
  createdAt: time,
  updatedAt: time,
});

/** A custom food as entered, with its id and times. */
export function toFoodRecord(food: Food): object {
  return {
    id: food.id,
    ...toFoodDraft(food),
    createdAt: isoSeconds(food.createdAt),
    updatedAt: isoSeconds(food.updatedAt),
  };
}

/** Throws `invalid_request` that names the field. */
export function readFoodRecord(value: unknown, userId: string, readDraft: ReadDraft): Food {
  const { id, createdAt, updatedAt, ...draft } = readRecord(stampSchema, value);
  const stamp = {
    id: id as FoodId,
    createdAt: Math.floor(createdAt / 1000),
    updatedAt: Math.floor(updatedAt / 1000),
  };
  return { ...toCustomFood(readDraft(draft), stamp), userId };
}

function isoSeconds(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString();
}
