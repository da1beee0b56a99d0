import type { Food } from '@larder/core/food.ts';
import type { Amount } from '../../find-amounts.ts';
import { UNITS } from '../../units.ts';
import type { Described } from './described.ts';
import type { FoodAmount } from './food-amount.ts';
import { isSize } from './serving-match.ts';
import { portionsOf, typicalPortionOf } from './typical-pieces.ts';
import { usualPieces } from './usual-portions.ts';

/** Matches ingredients of a drink: "Tea, iced, instant, dry", "Coffee beans". */
const NOT_SERVED = /\b(?:dry|powder|concentrate|mix|coffee beans|leaves|instant, unprepared)\b/i;

/**
 * Weighs portions that are usual in the region of the text: "un caffè", "a pint of beer", "ein großes Bier",
 * "flat white".
 */
export function byPortion(food: Food, described: Described): FoodAmount | undefined {
  const { amount, words, name, language } = described;
  if (language === undefined || (amount !== undefined && statesMore(amount))) return undefined;
  if (NOT_SERVED.test(food.name)) return undefined;
  const portions = portionsOf(food.name, new Set([...words, ...name]), language);
  if (portions.length === 0) return undefined;
  const unit = amount?.unit === 'serving' ? undefined : amount?.unit;
  const size = described.size ?? words.find((word) => isSize(word) && !name.has(word));
  const whole = unit ?? 'whole';
  const helping = amount === undefined ? typicalPortionOf(portions, 'portion', food.basis, size) : undefined;
  const portion = helping ?? typicalPortionOf(portions, whole, food.basis, size);
  if (portion === undefined) return undefined;
  // Sizes of the food's own servings are facts, unless the table is more specific for the region.
  if (!portion.isFirm && size !== undefined) return undefined;
  const basisAmount = (amount?.quantity ?? 1) * portion.grams;
  const found = { basisAmount, source: portion.text, fit: 1, isAssumed: true };
  return helping === undefined ? ofPlural(food, found, described) : found;
}

/** Weighs "tacos" as the pieces that people usually eat. */
export function ofPlural(food: Food, piece: FoodAmount, { isPlural, amount, size }: Described): FoodAmount {
  const pieces =
    isPlural === true && amount === undefined && size === undefined && food.basis === 'g'
      ? usualPieces(food, piece.basisAmount)
      : 1;
  if (pieces === 1) return piece;
  return { ...piece, basisAmount: pieces * piece.basisAmount, source: `usual portion of ${pieces} pieces` };
}

/** Whether an amount has a weight, a length or the content of each piece. */
function statesMore({ unit, each, plus, alternatives }: Amount): boolean {
  const kind = unit === undefined ? undefined : UNITS[unit].kind;
  return (
    kind === 'mass' ||
    kind === 'length' ||
    each !== undefined ||
    plus !== undefined ||
    alternatives.length > 0
  );
}
