import { createHash } from 'node:crypto';
import type { Food, FoodId } from '@larder/core/food.ts';
import { usualServing } from '@larder/text/parse/grams/typical-units.ts';

/** A food that a photo may show, with its usual amount. */
export interface FoodPrompt {
  readonly text: string;
  readonly name: string;
  readonly foodId: FoodId;
  readonly grams: { readonly typical: number; readonly low: number; readonly high: number };
}

/** Other common subjects. A photo closer to one of these than to every food shows no food. */
export const OTHER_PROMPTS: readonly string[] = [
  'a photo of a person',
  'a photo of a room',
  'a photo of a street',
  'a photo of a landscape',
  'a photo of an animal',
  'a photo of a car',
  'a photo of a building',
  'a photo of a piece of clothing',
  'a photo of a device',
  'a photo of furniture',
  'a photo of an empty plate',
  'a page of text',
  'a screenshot',
  'a drawing',
  'a plain surface',
];

/** Most portions are between half and double of the stated serving. */
const LOW_SHARE = 0.5;
const HIGH_SHARE = 2;

/** The generic foods by common names; branded ones are recognized by barcode. */
export function foodPrompts(foods: Iterable<Food>): FoodPrompt[] {
  const prompts: FoodPrompt[] = [];
  for (const food of foods) {
    const { id, name, brand } = food;
    if (brand !== undefined) continue;
    const typical = usualServing(food).basisAmount;
    const grams = { typical, low: typical * LOW_SHARE, high: typical * HIGH_SHARE };
    prompts.push({ text: `a photo of ${name.toLowerCase()}, a type of food`, name, foodId: id, grams });
  }
  return prompts;
}

/** Identifies a model and a list of texts; their vectors are stored under it. */
export function fingerprintOf(modelName: string, texts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([modelName, texts]))
    .digest('hex');
}
