import type { Amount } from '../../find-amounts.ts';
import type { ServingWords } from './serving-words.ts';

/** An amount of a food in its basis, with the source of the number. */
export interface FoodAmount {
  /** In g, or ml for foods stated by volume. */
  readonly basisAmount: number;
  /** "weight", "volume", `serving "1 medium"`, "typical glass of 240 ml". */
  readonly source: string;
  /**
   * How well the servings of the food match the text, from 0 to 2. It decides between foods with equally good names.
   */
  readonly fit: number;
  /** Whether a table or the usual serving supplied facts that the text lacks. */
  readonly isAssumed: boolean;
  /** The amount as interpreted for this food: "2 gr. Zwiebeln" are two large ones. */
  readonly said?: Amount;
}

/** Fit of a typical piece of the food, less than that of a serving. */
export const TYPICAL_PIECE = 0.75;

/** A serving as the source of an amount: `serving "1 cup"`. */
export function nameOf({ serving }: ServingWords): string {
  return `serving "${serving.label ?? `${serving.value} ${serving.unit}`}"`;
}
