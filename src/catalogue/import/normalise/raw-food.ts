import type { Basis, Origin } from '../../food/food.ts';
import type { PartialNutrients } from '../../food/nutrients.ts';

/** Amounts as a source states them: the catalogue's units, and the forms that `normalise` turns into them. */
export interface RawNutrients extends PartialNutrients {
  energyKj?: number;
  /** g; becomes sodium in mg (salt is 2.5 times its sodium, EU 1169/2011). */
  saltG?: number;
  /** International units; 40 are 1 ug. */
  vitaminDIu?: number;
  /** g; only used in energy arithmetic, at 7 kcal per g. */
  alcoholG?: number;
}

/** A serving as a source states it, in whichever parts it gives. */
export interface RawServing {
  /** Free text such as "1/3 cup (57 g)". */
  text?: string;
  /** Number and unit, where the source keeps them apart from the text. */
  quantity?: number;
  unit?: string;
  /** Weight of the serving in g where the source states it (FDC portions). */
  grams?: number;
}

/**
 * One food between a source's reader and `normalise`: parsed into known fields, but as unreliable as the source. Readers
 * fill in what is there and judge nothing.
 */
export interface RawFood {
  origin: Origin;
  /** The origin's own key: an Open Food Facts code, an FDC id, … */
  key: string;
  name: string;
  brand?: string;
  aliases?: readonly string[];
  barcode?: string;
  /** Undefined where the source does not say; `normalise` concludes it from the serving. */
  basis?: Basis;
  per100?: RawNutrients;
  /** Used where the weight of the serving is known and `per100` lacks a nutrient or was scaled from these. */
  perServing?: RawNutrients;
  /** Whether the source has scaled `per100` from the first serving on a label, as FoodData Central does. */
  isScaledLabel?: boolean;
  servings?: readonly RawServing[];
  /** A food as such ("Banana, raw"), not a product of one maker. */
  isGeneric?: boolean;
  /** How often people looked the food up, in the source's own count. */
  scans?: number;
  /** Unix seconds. */
  createdAt?: number;
  updatedAt?: number;
}

/** What a reader hands on. Called synchronously, a food at a time, so that no list of them is ever held. */
export interface RawFoodSink {
  food(food: RawFood): void;
  /** Something that was read, but is not a kind of food to serve. */
  skipped(reason: string, example: string): void;
  /** A line or element that could not be read at all. `where` is "FILE:LINE" or alike; `example` is cut short. */
  broken(where: string, reason: string, example: string): void;
  /** A finding about the files that is not about one food: a row that joins with nothing, a missing part. */
  noticed(reason: string, example: string): void;
}
