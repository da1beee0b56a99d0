import type { Food, FoodId } from '@larder/core/food.ts';
import { z } from 'zod';
import { type FoodDraft, toCustomFood, toFoodDraft } from '../../foods/custom/food-draft.ts';
import { foodId, readRecord, time } from './record-fields.ts';

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
