import { signal } from '@preact/signals';
import type { Food, TextItem } from 'larder-client';
import { basisOf, measureOf, proposedIn, unitsOf } from './units.ts';

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
  readonly units: readonly [unit: string, words: string][];
  /** kcal; undefined if it cannot be told. */
  readonly energy: number | undefined;
}

/** Foods with all their servings, by their ids. */
export type Details = ReadonlyMap<string, Food>;

export function rowOf(item: ReadItem, edit: RowEdit, details: Details): Row {
  const read = [item.food, ...item.alternatives].find(({ id }) => id === edit.foodId) ?? item.food;
  const food = details.get(read.id) ?? read;
  const start = startOf(item, read, food);
  const { quantity = start.quantity, unit = start.unit } = edit;
  return { food, quantity, unit, units: withUnit(food, unit), energy: energyOf(read, food, quantity, unit) };
}

/** The edit after another food was chosen, which keeps an amount that both can have. */
export function exchanged(edit: RowEdit, food: Food): RowEdit {
  const { quantity, unit, isTyped } = edit;
  const isPossible = unit !== undefined && unitsOf(food).some(([each]) => each === unit);
  return { foodId: food.id, isTaken: true, ...(isPossible && isTyped && { quantity, unit, isTyped }) };
}

/** The edit after another unit was chosen: a typed quantity stays, another one is converted. */
export function inOtherUnit(edit: RowEdit, { food, quantity, unit }: Row, to: string): RowEdit {
  const isTyped = edit.isTyped === true;
  return { ...edit, unit: to, quantity: isTyped ? quantity : proposedIn(food, Number(quantity), unit, to) };
}

/** The amount that was written, where it counts servings of the food; else what it weighs, or the usual serving. */
function startOf({ quantity, grams }: ReadItem, read: Food, food: Food) {
  const counted = food.servings?.find(({ unit, value, grams: weight, milliliters = weight }) => {
    if (unit === basisOf(food) || quantity === null || grams === null || milliliters === undefined)
      return false;
    return Math.abs((milliliters / value) * quantity - grams) < 0.5;
  });
  if (counted !== undefined) return { quantity: String(quantity), unit: counted.unit };
  const { value, unit } = read.servingSize;
  return { quantity: String(value), unit };
}

/** The units of a food, and the one that is used. */
function withUnit(food: Food, unit: string): [unit: string, words: string][] {
  const units = unitsOf(food);
  return units.some(([each]) => each === unit) ? units : [...units, [unit, unit]];
}

function energyOf(read: Food, food: Food, quantity: string, unit: string): number | undefined {
  if (food.unknown?.includes('energy') === true || !(Number(quantity) > 0)) return undefined;
  const measure = measureOf(food, Number(quantity), unit);
  if (food.per100 !== undefined && measure !== undefined) return (food.per100.energy * measure) / 100;
  const { macros, servingSize } = read;
  return unit === servingSize.unit ? (macros.energy * Number(quantity)) / servingSize.value : undefined;
}
