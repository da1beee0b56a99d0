import type { FoodId } from '@larder/core/food.ts';
import type { Nutrients } from '@larder/core/nutrients.ts';
import { round } from '@larder/core/rounding.ts';
import type { ScannedFacts } from '@larder/core/scanned-facts.ts';
import type { ScanReceipt } from './scan-receipt.ts';

/** The evidence for an item: its barcode, its label or its appearance. */
export const ITEM_ORIGINS = ['barcode', 'label', 'dish'] as const;
export type ItemOrigin = (typeof ITEM_ORIGINS)[number];

/** Maximum items of one image: more foods than a table holds, and few enough for a response. */
export const MAX_SCAN_ITEMS = 20;

/** A part of the upright image: fractions of its width and height, measured from the upper left corner. */
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
  /** Present if the photo is like one on which this food was confirmed, which is why it is proposed. */
  readonly likePhoto?: LikePhoto;
  /** The amount to begin with; that of the item, as a weight, if absent. */
  readonly servingSize?: { readonly value: number; readonly unit: string };
}

/** What is kept of a photo to recognize its food again. */
export interface PhotoVector {
  /** The version of the network and projection: vectors of others cannot be compared with it. */
  readonly network: string;
  /** Signed bytes in Base64. */
  readonly values: string;
}

/** An earlier photo on which a food was confirmed. */
export interface LikePhoto {
  /** The day of its diary entry; absent for photos of people who share their diary. */
  readonly date?: string;
}

/** Whether the owner of a scan ate a food, or only people who share their diary with them. */
export const BECAUSE_KINDS = ['you_eat_this', 'household_eats_this'] as const;

/** Why a food comes first: it was eaten before. */
export interface Because {
  readonly kind: (typeof BECAUSE_KINDS)[number];
  /** Entries with this food among the latest ones of the owner; absent for those of others. */
  readonly times?: number;
  /** Date of the last of them. */
  readonly last?: string;
}

/** One food on the photo, with macros from the catalogue or from its own label. */
export interface ScanItem {
  readonly name: string;
  readonly brand?: string;
  /** Absent for a food that is known only from its label. */
  readonly foodId?: FoodId;
  readonly barcode?: string;
  /** Facts that the code states beside its number. */
  readonly scanned?: ScannedFacts;
  readonly origin: ItemOrigin;
  /** 0 to 1, calibrated: of all items with 0.8, eight in ten are correct. */
  readonly confidence: number;
  /** The client should ask the user to choose between this food and the alternatives. */
  readonly unsure?: true;
  /** Absent for foods that were not eaten before, and where the diary may not be used. */
  readonly because?: Because;
  /** Present if the photo is like one on which this food was confirmed. Such an item is `unsure`. */
  readonly likePhoto?: LikePhoto;
  readonly serving: { readonly value: number; readonly unit: string };
  /** The serving in g (ml for drinks sold by volume); 0 if its weight is unknown. */
  readonly servingGrams: number;
  /** The values are those of one serving whose weight is unknown: of a label, or of a recipe. */
  readonly weightUnknown?: true;
  /** The range of most portions, in g; absent if the package states the amount. */
  readonly servingRangeGrams?: { readonly low: number; readonly high: number };
  /** Amounts of the whole serving, not rounded. */
  readonly macros: Nutrients;
  readonly box?: Box;
  /** Other candidates, best first. */
  readonly alternatives: readonly Alternative[];
}

/** The item as others see it than those who may read the diary of its owner. */
export function withoutReasons({ because: _, likePhoto: __, alternatives, ...item }: ScanItem) {
  return { ...item, alternatives: alternatives.map(({ likePhoto: ___, ...other }) => other) };
}

/** A product whose barcode is on the photo but belongs to no known food. */
export interface UnknownProduct {
  readonly barcode: string;
  /** Absent, as is the brand, if only the barcode is known. */
  readonly name?: string | undefined;
  readonly brand?: string | undefined;
}

/** The result that clients receive: the whole plate and its items, at least one; or the receipt that was asked for, without items. */
export interface ScanResult {
  /** The items' names, joined. */
  readonly name: string;
  readonly calories: number;
  /** In g, like carbs and fat. */
  readonly protein: number;
  readonly carbs: number;
  readonly fat: number;
  /** Total weight in g, or volume in ml, of the items whose weight is known. */
  readonly servingSize: number;
  readonly items: readonly ScanItem[];
  /** Excludes products that are an item by their label; absent if there are none. */
  readonly unknownProducts?: readonly UnknownProduct[];
  readonly receipt?: ScanReceipt;
}

/** The name of the whole plate. */
export function joinedNames(items: readonly Pick<ScanItem, 'name'>[]): string {
  return items.map(({ name }) => name).join(', ');
}

/** The result of a receipt. It has neither items nor sums, because bought is not eaten. Its name joins those of its foods. */
export function toReceiptResult(receipt: ScanReceipt): ScanResult {
  return { ...toScanResult([]), name: receiptName(receipt), receipt };
}

/** The name of a receipt. */
export function receiptName({ lines }: ScanReceipt): string {
  return joinedNames(lines.flatMap(({ food }) => (food === undefined ? [] : [food])));
}

/** Sums the items to the result of the whole plate. */
export function toScanResult(
  items: readonly ScanItem[],
  unknownProducts: readonly UnknownProduct[] = [],
): ScanResult {
  const sum = (amountOf: (item: ScanItem) => number) =>
    round(items.reduce((total, item) => total + amountOf(item), 0));
  return {
    name: joinedNames(items),
    calories: sum(({ macros }) => macros.energy),
    protein: sum(({ macros }) => macros.protein),
    carbs: sum(({ macros }) => macros.carbohydrates),
    fat: sum(({ macros }) => macros.fat),
    servingSize: sum(({ servingGrams }) => servingGrams),
    items,
    ...(unknownProducts.length > 0 && { unknownProducts }),
  };
}
