import type { Basis, Origin } from '@larder/core/food.ts';
import type { FoodFacts } from '@larder/core/food-facts.ts';
import type { LanguageBits } from '@larder/core/name-languages.ts';
import type { NutrientFormKey, PartialNutrients } from '@larder/core/nutrients.ts';

/** Amounts in a source's terms: the catalogue's units, and forms that `normalise` converts. */
export type RawNutrients = PartialNutrients & Partial<Record<NutrientFormKey, number>>;

/** A serving in the parts that the source states. */
export interface RawServing {
  /** Free text such as "1/3 cup (57 g)". */
  text?: string;
  /** Number and unit, if the source has separate fields. */
  quantity?: number;
  unit?: string;
  /** Weight of the serving in g, if the source states it (FDC portions). */
  grams?: number;
  /** Whether the source computed `quantity` from `text`, sometimes from the wrong number: then the text counts. */
  isQuantityDerived?: boolean;
  /** Content of the package in g or ml, which a serving does not exceed. */
  packageAmount?: number;
}

/**
 * One food between a source's reader and `normalise`: parsed, but as unreliable as the source. Readers do not check
 * values.
 */
export interface RawFood {
  origin: Origin;
  /** The origin's own key: an Open Food Facts code, an FDC id, … */
  key: string;
  name: string;
  brand?: string;
  aliases?: readonly string[];
  /** The languages of the name, then of each alias, if the source states them. */
  nameLanguages?: readonly LanguageBits[];
  barcode?: string;
  /** Undefined if the source does not say; `normalise` derives it from the serving. */
  basis?: Basis;
  per100?: RawNutrients;
  /** Used if the serving's weight is known and `per100` lacks a nutrient or was scaled from these. */
  perServing?: RawNutrients;
  /** Whether the source scaled `per100` from the label's first serving, as FoodData Central does. */
  isScaledLabel?: boolean;
  /** Whether the label states only the first serving, and `per100` was computed from it. */
  isPerServing?: boolean;
  servings?: readonly RawServing[];
  /** A generic food ("Banana, raw"), not a product of one maker. */
  isGeneric?: boolean;
  /** The source's count of look-ups. */
  scans?: number;
  /** Number of diary entries in a survey of what people eat. */
  diaryEntries?: number;
  /** Further facts of the source, if an import keeps them. */
  facts?: FoodFacts;
  /** Unix seconds. */
  createdAt?: number;
  updatedAt?: number;
}

/** Receives a reader's foods one by one, synchronously, so that no list of them is held. */
export interface RawFoodSink {
  /** Whether `RawFood.facts` are kept. Readers leave them out otherwise. */
  readonly takesFacts?: boolean;
  food(food: RawFood): void;
  /** An item that is not a kind of food to import. */
  skipped(reason: string, example: string): void;
  /** An unreadable line or element. `where` is "FILE:LINE" or similar; `example` is cut short. */
  broken(where: string, reason: string, example: string): void;
  /** A finding about the files rather than one food: a row without a food, a missing part. */
  noticed(reason: string, example: string): void;
}
