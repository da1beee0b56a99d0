import type { FoodId } from '@larder/core/food.ts';
import type { Nutrients } from '@larder/core/nutrients.ts';
import { round } from '@larder/core/rounding.ts';

/** How an item was recognized: by its number, by its printed facts, or by its looks. */
export const ITEM_ORIGINS = ['barcode', 'label', 'dish'] as const;
export type ItemOrigin = (typeof ITEM_ORIGINS)[number];

/** Items of one image: more than a table holds, and few enough for an answer. */
export const MAX_SCAN_ITEMS = 20;

/** Part of an image: fractions of its width and height from the upper left corner, the image standing upright. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Alternative {
  readonly name: string;
  readonly foodId: FoodId;
  /** 0 to 1. */
  readonly confidence: number;
}

/** One food on the photo, its macros from the catalogue or from its own label. */
export interface ScanItem {
  readonly name: string;
  readonly brand?: string;
  /** Absent for a food that is known from its label alone. */
  readonly foodId?: FoodId;
  readonly barcode?: string;
  readonly origin: ItemOrigin;
  /** 0 to 1, calibrated: of all items with .8, eight in ten are right. */
  readonly confidence: number;
  /** Better ask the user to choose between this and the alternatives. */
  readonly unsure?: true;
  readonly serving: { readonly value: number; readonly unit: string };
  /** The serving in g (ml for drinks sold by volume). */
  readonly servingGrams: number;
  /** The range of most helpings, in g; absent where the package states the amount. */
  readonly servingRangeGrams?: { readonly low: number; readonly high: number };
  /** In the whole serving, not rounded. */
  readonly macros: Nutrients;
  readonly box?: Box;
  /** Best first; what else it may be. */
  readonly alternatives: readonly Alternative[];
}

/** A product on the photo whose barcode no food has. */
export interface UnknownProduct {
  readonly barcode: string;
  /** Absent where only the barcode is known, as the brand. */
  readonly name?: string | undefined;
  readonly brand?: string | undefined;
}

/** What a client is told: the plate as a whole, and its items. At least one item. */
export interface ScanResult {
  /** The items' names, joined. */
  readonly name: string;
  readonly calories: number;
  /** g, as carbs and fat. */
  readonly protein: number;
  readonly carbs: number;
  readonly fat: number;
  /** g (or ml) of everything together. */
  readonly servingSize: number;
  readonly items: readonly ScanItem[];
  /** Without those that are an item by their label; absent where there are none. */
  readonly unknownProducts?: readonly UnknownProduct[];
}

/** The plate as a whole; `items` are at least one. */
export function toScanResult(
  items: readonly ScanItem[],
  unknownProducts: readonly UnknownProduct[] = [],
): ScanResult {
  const sum = (amountOf: (item: ScanItem) => number) =>
    round(items.reduce((total, item) => total + amountOf(item), 0));
  return {
    name: items.map(({ name }) => name).join(', '),
    calories: sum(({ macros }) => macros.energy),
    protein: sum(({ macros }) => macros.protein),
    carbs: sum(({ macros }) => macros.carbohydrates),
    fat: sum(({ macros }) => macros.fat),
    servingSize: sum(({ servingGrams }) => servingGrams),
    items,
    ...(unknownProducts.length > 0 && { unknownProducts }),
  };
}
