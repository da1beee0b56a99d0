import type { Food, KnownProduct, Serving } from '@larder/core/food.ts';
import type { NutrientKey, Nutrients, PartialNutrients } from '@larder/core/nutrients.ts';
import { round } from '@larder/core/rounding.ts';
import type { ScannedFacts } from '@larder/core/scanned-facts.ts';
import type { LabelProposal } from '../recognizer.ts';
import type { Alternative, Box, ItemOrigin, ScanItem } from '../scan-result.ts';

/** The name of a food that is known only from its label. */
const UNNAMED = 'Packaged food';

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
  readonly box?: Box | undefined;
  readonly alternatives?: readonly Alternative[];
}

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
    ...served(serving, food.per100),
    ...(range !== undefined && { servingRangeGrams: range }),
    ...(box !== undefined && { box }),
    alternatives: alternatives.map((other) => ({ ...other, confidence: round(other.confidence) })),
  };
}

/** Makes an item of a label. `product` is the known name and brand of the barcode. */
export function labelItem(proposal: LabelProposal, barcode?: string, product?: KnownProduct): ScanItem {
  const { per100, serving, confidence, box } = proposal;
  return {
    name: product?.name ?? UNNAMED,
    ...(product?.brand !== undefined && { brand: product.brand }),
    ...(barcode !== undefined && { barcode }),
    origin: 'label',
    confidence: round(confidence),
    ...served(serving, per100),
    ...(box !== undefined && { box }),
    alternatives: [],
  };
}

/** A serving of `grams` g; for a drink by volume, of that many ml. */
export function gramsServing({ basis }: Food, grams: number): ServedAmount {
  return { value: grams, unit: basis, basisAmount: grams };
}

function served(serving: ServedAmount, per100: Nutrients) {
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
