import type { Food } from '@larder/core/food.ts';
import type { Amount } from '../../find-amounts.ts';
import { UNITS, unitOfWord } from '../../units.ts';
import { stemOf, wordsOfName } from '../names/name-words.ts';
import { type Sized, sizedBy, weighSized } from './by-length.ts';
import { byTypicalSize } from './by-size.ts';
import { type FoodAmount, nameOf } from './food-amount.ts';
import {
  bestMatch,
  isPlain,
  isSize,
  isSized,
  isUsualSize,
  type Match,
  type Wanted,
} from './serving-match.ts';
import { mlOf, type ServingWords, servingWords } from './serving-words.ts';
import { isDry, isServingUnit, typicalAmountOf } from './typical-amounts.ts';
import { piecesOf, typicalPieceOf } from './typical-pieces.ts';

/** What a text states about an amount. */
export interface Described {
  readonly amount?: Amount | undefined;
  /** Stems of the words around it: "small", "single", "bag", "footlong". */
  readonly words: readonly string[];
  /** Stems of the words that name the food. */
  readonly name: ReadonlySet<string>;
}

/** The source of an amount of a food without a known volume. */
export const TYPICAL_DENSITY = 'typical density of 1 g/ml';

/** Converts an amount by the food's own servings, then by typical ones. Returns undefined if neither has it. */
export function weighAmount(food: Food, described: Described): FoodAmount | undefined {
  const { amount } = described;
  const grams = amount === undefined ? undefined : statedIn('grams', amount);
  // Foods stated by volume are drinks: a gram of them is close to a millilitre.
  if (grams !== undefined)
    return (
      byYield(food, grams, described) ?? {
        basisAmount: grams,
        source: 'weight',
        fit: 1,
        isAssumed: food.basis === 'ml',
      }
    );
  const servings = food.servings.map(servingWords);
  const ml = amount === undefined ? undefined : statedIn('ml', amount);
  if (ml !== undefined)
    return byNamedCup(food, servings, described) ?? byVolume(food, servings, ml, described);
  const sized = amount === undefined ? undefined : sizedBy(amount);
  if (sized !== undefined) return byLength(food, servings, described, sized);
  return byServing(food, servings, described);
}

/** Grams or millilitres that the text itself states. */
function statedIn(measure: 'grams' | 'ml', amount: Amount): number | undefined {
  const { quantity, unit, plus, each, alternatives } = amount;
  const known = unit === undefined ? undefined : (UNITS[unit] as { grams?: number; ml?: number })[measure];
  if (known !== undefined) {
    return quantity * known + (plus === undefined ? 0 : (statedIn(measure, plus) ?? 0));
  }
  const inEach = each === undefined ? undefined : statedIn(measure, each);
  if (inEach !== undefined) return quantity * inEach;
  for (const other of alternatives) {
    const stated = statedIn(measure, other);
    if (stated !== undefined) return stated;
  }
  return undefined;
}

const UNCOOKED: ReadonlySet<string> = new Set(['dry', 'raw', 'unpopped']);

/** Weighs "2 oz dry pasta" by "1 oz, dry, yields" of cooked pasta. */
function byYield({ servings }: Food, grams: number, { words }: Described): FoodAmount | undefined {
  const uncooked = words.find((word) => UNCOOKED.has(word));
  if (uncooked === undefined) return undefined;
  const found = servings
    .map(servingWords)
    .find(
      ({ words: [unit, ...others] }) =>
        unit === 'oz' && others.includes(uncooked) && others.includes('yield'),
    );
  if (found === undefined) return undefined;
  const basisAmount = (grams / UNITS.oz.grams!) * found.serving.basisAmount;
  return { basisAmount, source: nameOf(found), fit: 1, isAssumed: true };
}

/**
 * Weighs by the serving with the nearest unit in size: the density of chopped onions in cups differs from that in
 * spoons.
 */
function byVolume(
  food: Food,
  servings: readonly ServingWords[],
  ml: number,
  { amount, words }: Described,
): FoodAmount {
  if (food.basis === 'ml') return { basisAmount: ml, source: 'volume', fit: 1, isAssumed: false };
  const unitMl = (amount?.unit === undefined ? undefined : mlOf(amount.unit)) ?? ml;
  let best: ServingWords | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const serving of servings) {
    if (serving.unitMl === undefined) continue;
    const shared = serving.words.filter((word) => words.includes(word)).length;
    const cost = 2 * Math.abs(Math.log(serving.unitMl / unitMl)) - shared + 0.1 * serving.words.length;
    if (cost >= bestCost) continue;
    bestCost = cost;
    best = serving;
  }
  if (best === undefined) {
    return { basisAmount: ml, source: TYPICAL_DENSITY, fit: 0, isAssumed: true };
  }
  const density = best.serving.basisAmount / (best.count * best.unitMl!);
  return { basisAmount: ml * density, source: nameOf(best), fit: 1, isAssumed: false };
}

/** Weighs by a serving of a particular cup that is not a measure: "1 medium ice cream cup", "1 espresso cup". */
function byNamedCup(
  food: Food,
  servings: readonly ServingWords[],
  described: Described,
): FoodAmount | undefined {
  const { amount } = described;
  if (amount?.unit !== 'cup') return undefined;
  const cups = servings.filter(({ unitMl, words }) => unitMl === undefined && words.includes('cup'));
  const asked = new Set([...described.words, amount.size ?? '']);
  const named = cups.filter(({ words }) =>
    words.some((word) => word !== 'cup' && asked.has(word) && !described.name.has(word)),
  );
  const found = named.length === 0 ? undefined : byServing(food, named, described);
  return found === undefined ? undefined : { ...found, fit: found.fit + NAMED_CUP };
}

/** Weighs by length; if no serving states one, pieces count as usual ones. */
function byLength(
  food: Food,
  servings: readonly ServingWords[],
  described: Described,
  sized: Sized,
): FoodAmount | undefined {
  const weighed = weighSized(servings, sized);
  if (weighed !== undefined) {
    const { serving, basisAmount } = weighed;
    return { basisAmount, source: nameOf(serving), fit: 1, isAssumed: true };
  }
  const { amount: _, ...rest } = described;
  const found = byServing(food, servings, rest);
  return found && { ...found, basisAmount: sized.count * found.basisAmount, isAssumed: true };
}

const NO_WORDS: ReadonlySet<string> = new Set();
/** Words for pieces that are not units. */
const PIECE_WORDS: ReadonlySet<string> = new Set(['root', 'tip', 'heart', 'segment', 'tail']);
/** Fit of a typical piece of the food, less than that of a serving. */
const TYPICAL_PIECE = 0.7;
/** Fit of a serving of exactly the named cup. */
const NAMED_CUP = 0.5;

function byServing(
  food: Food,
  servings: readonly ServingWords[],
  { amount, words, name }: Described,
): FoodAmount | undefined {
  const quantity = amount?.quantity ?? 1;
  const wanted = new Set([...words, ...(amount?.size ?? '').split('_'), stemOf(amount?.unit ?? '')]);
  wanted.delete('');
  // A fun-size package is the fun size of a sweet, which may lack a package.
  const unit =
    amount?.size === 'fun_size'
      ? undefined
      : amount?.unit === undefined
        ? [...wanted].find((word) => isServingUnit(word) && !name.has(word))
        : stemOf(amount.unit);
  // "extra" alone is not a size: "without extra fat".
  const asksSize = [...wanted].some((word) => word !== 'extra' && isSize(word));
  if (amount === undefined && unit === undefined && !asksSize) {
    const [first] = servings;
    const fit = Number(isNamed(first!));
    return { basisAmount: food.servings[0].basisAmount, source: nameOf(first!), fit, isAssumed: true };
  }
  const asked = { wanted, unit, asksSize, name, otherName: otherNameOf(food, name), quantity };
  const best = bestMatch(servings, asked);
  if (best === undefined) return undefined;
  const piece = amount && byTypicalPiece(food, servings, asked, best, amount.size);
  if (piece) return piece;
  const typical =
    (asksSize && byTypicalSize(servings, best, amount?.size, unit, quantity)) ||
    (unit !== undefined &&
      !best.hasUnit &&
      (byTypical(food, servings, unit, quantity, wanted) ?? byPackage(food, servings, best, unit, quantity)));
  if (typical) return typical;
  const isAnswer = isNamed(best.serving) && (unit === undefined ? !asksSize || best.hasSize : best.hasUnit);
  const isHalf = unit === undefined && isNamed(best.serving);
  return {
    // The usual serving counts if there is no amount: "2 slices" of bacon.
    basisAmount:
      amount === undefined
        ? best.serving.serving.basisAmount
        : (quantity * best.serving.serving.basisAmount) / best.serving.count,
    source: nameOf(best.serving),
    fit: (isAnswer ? 1 : isHalf ? 0.5 : 0) + 0.4 * Math.min(2, best.extra),
    isAssumed: amount === undefined || !isAnswer,
  };
}

/** Weighs by the table of typical pieces, or the plain serving for what it counts, if the best serving is neither. */
function byTypicalPiece(
  food: Food,
  servings: readonly ServingWords[],
  asked: Wanted,
  best: Match,
  size: string | undefined,
): FoodAmount | undefined {
  const { wanted, name, unit, quantity } = asked;
  const asksSize = size !== undefined && !isUsualSize(size);
  const pieces = piecesOf(food.name, new Set([...wanted, ...name]));
  if (pieces === undefined) return undefined;
  const said = unit ?? [...wanted].find((word) => PIECE_WORDS.has(word) && pieces.has(word)) ?? 'whole';
  const piece = typicalPieceOf(pieces, said, size);
  if (piece === undefined) return undefined;
  if (!piece.isFirm) {
    if (unit !== undefined && best.hasUnit && best.serving.words.includes(unit)) return undefined;
    if (unit === undefined && isAnswer(best, servings, { ...asked, asksSize })) return undefined;
    const plain =
      unit !== undefined || asksSize ? undefined : servings.find((serving) => isPlain(serving, asked, false));
    if (plain !== undefined) {
      const basisAmount = (quantity * plain.serving.basisAmount) / plain.count;
      return { basisAmount, source: nameOf(plain), fit: 1, isAssumed: false };
    }
  }
  return { basisAmount: quantity * piece.grams, source: piece.text, fit: TYPICAL_PIECE, isAssumed: true };
}

/** Whether the best serving is the one that a number without a unit counts. */
function isAnswer(best: Match, servings: readonly ServingWords[], asked: Wanted): boolean {
  if (best.extra > 0) return true;
  return asked.asksSize
    ? isSized(best, asked)
    : isPlain(best.serving, asked, best.serving === servings[0] && asked.quantity === 1);
}

/** Stems of the food's name if the text has none of them, as in another language. */
function otherNameOf(food: Food, name: ReadonlySet<string>): ReadonlySet<string> {
  const stems = new Set(wordsOfName(food.name).map(({ stem }) => stem));
  return [...stems].some((stem) => name.has(stem)) ? NO_WORDS : stems;
}

/** Whether a serving names a piece, unlike "100 g" of a product. */
function isNamed({ words }: ServingWords): boolean {
  return words.length > 0;
}

/** Weighs a package as the first serving: a package of bars that come in twos has two. */
function byPackage(
  food: Food,
  servings: readonly ServingWords[],
  { extra }: Match,
  unit: string,
  quantity: number,
): FoodAmount | undefined {
  if (extra > 0 || unitOfWord(unit)?.kind !== 'container') return undefined;
  const basisAmount = quantity * food.servings[0].basisAmount;
  return { basisAmount, source: nameOf(servings[0]!), fit: 0.3, isAssumed: true };
}

function byTypical(
  food: Food,
  servings: readonly ServingWords[],
  unit: string,
  quantity: number,
  words: ReadonlySet<string>,
): FoodAmount | undefined {
  const volume = servings.find(({ unitMl }) => unitMl !== undefined);
  const density =
    food.basis === 'ml' || volume === undefined
      ? 1
      : volume.serving.basisAmount / (volume.count * volume.unitMl!);
  const typical = typicalAmountOf(unit, words, isDry(density, food.per100.energy));
  if (typical === undefined) return undefined;
  const each = typical.grams ?? typical.ml! * density;
  const measure = typical.grams === undefined ? `${typical.ml} ml` : `${typical.grams} g`;
  return { basisAmount: quantity * each, source: `typical ${unit} of ${measure}`, fit: 0.3, isAssumed: true };
}
