import type { FoodLanguage, LocalNames } from './food-languages.ts';
import type { FoodNote } from './food-notes.ts';
import type { Gtin } from './gtin.ts';
import type { LanguageBits } from './name-languages.ts';
import type { NutrientKey, Nutrients } from './nutrients.ts';

/** The kind of source, as clients see it. */
export const FOOD_SOURCES = ['public_dataset', 'third_party_api', 'manual_entry'] as const;
export type FoodSource = (typeof FOOD_SOURCES)[number];

/**
 * The collection a food comes from; also the prefix of its id. Append only: the position is part of the file format.
 */
export const ORIGINS = ['off', 'fdc', 'starter', 'ciqual', 'bls', 'manual', 'table'] as const;
export type Origin = (typeof ORIGINS)[number];

declare const foodIdBrand: unique symbol;
/** `origin:key`, for example `off:3017620422003` or `fdc:2705384`. Stable across imports. */
export type FoodId = string & { readonly [foodIdBrand]: true };

/** The id of a food; `key` is the origin's own key, at most 60 characters of `[A-Za-z0-9._-]`. */
export function toFoodId(origin: Origin, key: string): FoodId {
  return `${origin}:${key}` as FoodId;
}

const RECIPE_PREFIX = 'recipe:';

/** The id of a user's recipe among foods. No catalogue has foods of this origin. */
export function recipeFoodId(recipeId: string): FoodId {
  return `${RECIPE_PREFIX}${recipeId}` as FoodId;
}

/** The id of the recipe that a food is; undefined for other foods. */
export function recipeIdOf(foodId: string): string | undefined {
  return foodId.startsWith(RECIPE_PREFIX) ? foodId.slice(RECIPE_PREFIX.length) : undefined;
}

/** Nutrients are per 100 of this: grams, or millilitres for drinks sold by volume. */
export const FOOD_BASES = ['g', 'ml'] as const;
export type Basis = (typeof FOOD_BASES)[number];

/** One way to serve a food. */
export interface Serving {
  /** Number of `unit`, more than 0. */
  readonly value: number;
  /** `g`, `ml`, `oz`, `fl_oz`, or a household unit of the source such as `cup` or `slice`. */
  readonly unit: string;
  /** Amount in the food's `basis` (g or ml), more than 0. Nutrients are scaled by it. */
  readonly basisAmount: number;
  /** The household text, for example "1 cup (240 ml)". */
  readonly label?: string;
}

/** Nutrients that a source states for another amount than 100 g or ml. */
export interface StatedNutrients {
  /** In the food's `basis`, more than 0. */
  readonly amount: number;
  readonly nutrients: Nutrients;
}

/** A food in all parts of the service. Immutable; times are whole Unix seconds. */
export interface Food {
  readonly id: FoodId;
  readonly source: FoodSource;
  /** The only user who sees the food; absent for shared foods. */
  readonly userId?: string;
  /** At least 1 and at most 300 characters, no markup, no surrounding space. */
  readonly name: string;
  /** The language of the name, in answers to callers who asked for languages. */
  readonly language?: FoodLanguage;
  readonly brand?: string;
  /** Other names that search matches; returned for custom foods only. */
  readonly aliases: readonly string[];
  /** The languages of the name, then of each alias; 0 if unknown. */
  readonly nameLanguages?: readonly LanguageBits[];
  /**
   * Names by language beside those above, of foods that ship. Catalogues keep them beside the food, so a food that was
   * read from one has none.
   */
  readonly localNames?: LocalNames;
  /** The digits that the origin states; shown to clients. */
  readonly barcode?: string;
  /** Key for look-ups, if the barcode is valid or only matches exactly. */
  readonly gtin?: Gtin;
  readonly basis: Basis;
  readonly per100: Nutrients;
  /** Unknown nutrients that are 0 in `per100`, for a custom food with known energy only. */
  readonly unknown?: readonly NutrientKey[];
  /** Present if the source states another amount, such as a serving; `per100` is then computed from it. */
  readonly stated?: StatedNutrients;
  /** Notes on stated values that an import changed. */
  readonly notes?: readonly FoodNote[];
  /**
   * Present if the weight of a serving is unknown, as for a recipe whose yield nobody weighed. The food is then counted in servings:
   * `servings` and `per100` state one serving as 100 of `basis`, and no weight or volume can be converted.
   */
  readonly isCounted?: true;
  /** At least one; answers are scaled to the first. */
  readonly servings: readonly [Serving, ...Serving[]];
  /** 0 (unknown) to 255, logarithmic: see `popularityOf` of imports. */
  readonly popularity: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A product with a barcode but without required nutrients: only look-ups return its name. */
export interface KnownProduct {
  readonly id: FoodId;
  readonly name: string;
  readonly brand?: string;
  readonly barcode: string;
  readonly gtin: Gtin;
}

/** Maximum bytes of the part after the colon, in UTF-8. */
const MAX_KEY_BYTES = 60;

export interface FoodIdParts {
  readonly origin: Origin;
  /** Position in `ORIGINS`. */
  readonly originNumber: number;
  readonly key: string;
}

/** Splits an id; undefined if the text is not one. */
export function parseFoodId(id: string): FoodIdParts | undefined {
  const colon = id.indexOf(':');
  const originNumber = (ORIGINS as readonly string[]).indexOf(id.slice(0, colon));
  const key = id.slice(colon + 1);
  if (originNumber === -1 || key === '' || Buffer.byteLength(key) > MAX_KEY_BYTES) return undefined;
  return { origin: ORIGINS[originNumber]!, originNumber, key };
}

const MEASURES: ReadonlySet<string> = new Set(['g', 'ml', 'oz', 'fl_oz']);

/**
 * Returns the servings with one in g or ml first if the first is a household measure: clients show only the
 * first serving, and users should see that "1 medium" weighs 118 g.
 */
export function leadWithMeasure(servings: Food['servings'], basis: Basis): Food['servings'] {
  const [first] = servings;
  if (MEASURES.has(first.unit)) return servings;
  const measured: Serving = {
    value: first.basisAmount,
    unit: basis,
    basisAmount: first.basisAmount,
    label: first.label ?? `${first.value} ${first.unit}`,
  };
  return [measured, ...servings];
}
