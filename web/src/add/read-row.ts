import { signal } from '@preact/signals';
import type { Food, TextItem } from 'larder-client';
import { basisOf, nutrientsOf, sizeOf } from '../amounts/food-amounts.ts';
import { numberOf, typedAmount } from '../amounts/typed-number.ts';
import { unitsOf } from '../amounts/units.ts';

/** An item of a text whose food is known. */
export type ReadItem = TextItem & { readonly food: Food };

/** What a person made of an item. */
export interface RowEdit {
  readonly isTaken?: boolean;
  /** An alternative instead of the food. */
  readonly foodId?: string;
  readonly quantity?: string;
  readonly unit?: string;
  /** Whether the quantity was typed: it stays when the unit changes. */
  readonly isTyped?: boolean;
}

/** What a person made of the items of a text, by their positions. */
export interface ReadEdits {
  readonly text: string;
  readonly edits: Readonly<Record<number, RowEdit>>;
}

export const NO_EDITS: ReadEdits = { text: '', edits: {} };
export const readEdits = signal(NO_EDITS);

export interface Row {
  readonly food: Food;
  readonly quantity: string;
  readonly unit: string;
  /** kcal; undefined if unknown. */
  readonly energy: number | undefined;
}

/** Foods with all their servings, by their ids. */
export type Details = ReadonlyMap<string, Food>;

export function rowOf(item: ReadItem, edit: RowEdit, details: Details): Row {
  const read = [item.food, ...item.alternatives].find(({ id }) => id === edit.foodId) ?? item.food;
  const food = details.get(read.id) ?? read;
  const start = startOf(item, read, food);
  const { quantity = start.quantity, unit = start.unit } = edit;
  const { energy = nutrientsOf(read, numberOf(quantity), unit).energy } = nutrientsOf(
    food,
    numberOf(quantity),
    unit,
  );
  return { food, quantity, unit, energy };
}

/** The edit after another food was chosen, which keeps an amount that both can have. */
export function exchanged(edit: RowEdit, food: Food): RowEdit {
  const { quantity, unit, isTyped } = edit;
  const isPossible = unit !== undefined && unitsOf(food).some(([each]) => each === unit);
  return { foodId: food.id, isTaken: true, ...(isPossible && isTyped && { quantity, unit, isTyped }) };
}

/** The written amount if it counts servings of the food, otherwise its weight, otherwise the usual serving. */
function startOf({ quantity, grams }: ReadItem, read: Food, food: Food) {
  const counted = unitsOf(food).find(([unit]) => {
    const size = sizeOf(food, unit);
    if (unit === basisOf(food) || quantity === undefined || grams === undefined || size === undefined)
      return false;
    return Math.abs(size * quantity - grams) < 0.5;
  })?.[0];
  if (counted !== undefined) return { quantity: typedAmount(quantity!, counted), unit: counted };
  const { value, unit } = read.servingSize;
  return { quantity: typedAmount(value, unit), unit };
}
