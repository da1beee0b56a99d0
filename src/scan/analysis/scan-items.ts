import type { Food, Serving } from '@larder/core/food.ts';
import type { NutrientKey, Nutrients, PartialNutrients } from '@larder/core/nutrients.ts';
import { round } from '@larder/core/rounding.ts';
import type { ScannedFacts } from '@larder/core/scanned-facts.ts';
import type { Alternative, Because, Box, ItemOrigin, LikePhoto, ScanItem } from '../scan-result.ts';

/** Removes binary rounding noise. Responses round to three decimals; a diary sums these values. */
const SIGNIFICANT_DIGITS = 12;

type ServedAmount = Pick<Serving, 'value' | 'unit' | 'basisAmount'>;

export interface FoodItemOptions {
  readonly food: Food;
  readonly origin: ItemOrigin;
  readonly serving: ServedAmount;
  readonly range?: { readonly low: number; readonly high: number };
  readonly barcode?: string;
  readonly scanned?: ScannedFacts;
  readonly confidence: number;
  readonly unsure?: true | undefined;
  readonly because?: Because | undefined;
  readonly likePhoto?: LikePhoto | undefined;
  readonly box?: Box | undefined;
  readonly alternatives?: readonly Alternative[];
}

/** An item with the amounts of a food. */
export function foodItem(parts: FoodItemOptions): ScanItem {
  const {
    food,
    origin,
    serving,
    range,
    barcode,
    scanned,
    confidence,
    unsure,
    because,
    likePhoto,
    box,
    alternatives = [],
  } = parts;
  return {
    name: food.name,
    ...(food.brand !== undefined && { brand: food.brand }),
    foodId: food.id,
    ...(barcode !== undefined && { barcode }),
    ...(scanned !== undefined && { scanned }),
    origin,
    confidence: round(confidence),
    ...(unsure && { unsure }),
    ...(because && { because }),
    ...(likePhoto && { likePhoto }),
    ...served(serving, food.per100),
    ...(food.isCounted && { servingGrams: 0, weightUnknown: true as const }),
    ...(range !== undefined && { servingRangeGrams: range }),
    ...(box !== undefined && { box }),
    alternatives: alternatives.map((other) => ({ ...other, confidence: round(other.confidence) })),
  };
}

/** A serving of `grams` g; for a drink by volume, of that many ml. */
export function gramsServing({ basis }: Food, grams: number): ServedAmount {
  return { value: grams, unit: basis, basisAmount: grams };
}

/** The fields of an item that say how much it is. */
export function served(serving: ServedAmount, per100: Nutrients) {
  const macros: PartialNutrients = {};
  for (const [key, amount] of Object.entries(per100) as [NutrientKey, number][]) {
    macros[key] = Number(((amount * serving.basisAmount) / 100).toPrecision(SIGNIFICANT_DIGITS));
  }
  return {
    serving: { value: round(serving.value), unit: serving.unit },
    servingGrams: round(serving.basisAmount),
    macros: macros as Nutrients,
  };
}
