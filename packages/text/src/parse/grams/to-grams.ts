import type { Food } from '@larder/core/food.ts';
import type { Amount } from '../../amount.ts';
import { UNITS, unitOfWord } from '../../units.ts';
import { stemOf, wordsOfName } from '../names/name-words.ts';
import { type Sized, sizedBy, weighByCm, weighSized } from './by-length.ts';
import { byPortion, ofPlural } from './by-portion.ts';
import { byTypicalSize } from './by-size.ts';
import { byVolume } from './by-volume.ts';
import { type Described, statedIn } from './described.ts';
import { type FoodAmount, nameOf, TYPICAL_PIECE } from './food-amount.ts';
import {
  bestMatch,
  canonicalSize,
  hasSize,
  isOfOnePiece,
  isPlain,
  isSize,
  isSized,
  isUsualSize,
  type Match,
  type Wanted,
} from './serving-match.ts';
import { type ServingWords, servingWords } from './serving-words.ts';
import { isAlike, isDry, isServingUnit, typicalAmountOf } from './typical-amounts.ts';
import { pieceNamed, piecesOf, typicalPieceOf } from './typical-pieces.ts';
import { addedPortionOf, SIZE_SHARES, usualPortionOf } from './usual-portions.ts';

/** Converts an amount by the food's own servings, then by typical ones. Returns undefined if neither has it. */
export function weighAmount(food: Food, said: Described): FoodAmount | undefined {
  const found = weighUnsized(food, said);
  const size = found === undefined ? undefined : sizeIn(said);
  const factor = SIZE_FACTORS[size ?? ''];
  if (found === undefined || factor === undefined || !isUnsized(found.source, size!)) return found;
  if (found.basisAmount < LEAST_SIZED * (said.amount?.quantity ?? 1)) return found;
  if (SLICED_SIZES.has(size!) && !/\b(?:slice|piece)\b/.test(found.source)) return found;
  return { ...found, basisAmount: factor * found.basisAmount, source: `${found.source}, ${size}` };
}

/** Amounts of sizes that no serving states, as shares of the usual one. */
const SIZE_FACTORS: Readonly<Record<string, number>> = {
  ...SIZE_SHARES,
  thin: SIZE_SHARES.small,
  thick: SIZE_SHARES.large,
};
/** Smaller pieces, such as cloves of garlic, count as usual ones, in g or ml. */
const LEAST_SIZED = 5;
/** Sizes of slices; elsewhere they describe the food: "thick cream", "thin noodles". */
const SLICED_SIZES: ReadonlySet<string> = new Set(['thin', 'thick']);

/** Whether an amount is of a serving or vessel of another size: "a large bowl" by `typical bowl of 300 ml`. */
function isUnsized(source: string, size: string): boolean {
  const words = source.split(/\W+/);
  return (
    /^(?:serving "|typical )/.test(source) &&
    !words.some((word) => hasSize(word, size) || hasSize(size, word))
  );
}

function weighUnsized(food: Food, said: Described): FoodAmount | undefined {
  if (food.isCounted) return byCount(food, said);
  const described = inLitres(food, said);
  const { amount, language } = described;
  const grams = amount === undefined ? undefined : statedIn('grams', amount, language?.region);
  const servings = food.servings.map(servingWords);
  const large = grams === undefined ? undefined : byLarge(food, servings, described);
  if (large !== undefined) return large;
  // Foods stated by volume are drinks: a gram of them is close to a millilitre.
  if (grams !== undefined)
    return (
      byYield(servings, grams, described) ?? {
        basisAmount: grams,
        source: 'weight',
        fit: 1,
        isAssumed: food.basis === 'ml',
      }
    );
  const portion = byAddition(food, described) ?? byPortion(food, described);
  if (portion !== undefined) return portion;
  const ml = amount === undefined ? undefined : statedIn('ml', amount, language?.region);
  if (ml !== undefined)
    return byNamedCup(food, servings, described) ?? byVolume(food, servings, ml, described);
  const sized = amount === undefined ? undefined : sizedBy(amount);
  if (sized !== undefined) return byLength(food, servings, described, sized);
  return someOf(food, byServing(food, servings, countedPieces(servings, described)), amount);
}

/** Weighs "a few peanuts" as a small portion of them, if three pieces are less than anybody eats. */
function someOf(
  food: Food,
  found: FoodAmount | undefined,
  amount: Amount | undefined,
): FoodAmount | undefined {
  if (found === undefined || amount?.vague !== true || amount.unit !== undefined) return found;
  const usual = usualPortionOf(food);
  if (usual === undefined || found.basisAmount >= usual.p10) return found;
  return { ...found, basisAmount: usual.p25, source: LITTLE_AMOUNT, isAssumed: true };
}

/** Reads "0,3" of a drink as litres; drinks stated by weight have a serving in a glass. */
function inLitres({ basis, servings }: Food, described: Described): Described {
  const { amount } = described;
  const isDrink = basis === 'ml' || servings.some(({ unit }) => /\bglass\b/.test(unit));
  if (amount?.litres !== true || !isDrink) return described;
  return { ...described, amount: { ...amount, unit: 'l' } };
}

/** Amount of a food that is counted in servings: a number of servings, plates or bowls, of which each is one serving. */
function byCount({ servings: [serving] }: Food, { amount, language }: Described): FoodAmount | undefined {
  const isMeasured =
    amount !== undefined &&
    (sizedBy(amount) !== undefined ||
      (['grams', 'ml'] as const).some(
        (measure) => statedIn(measure, amount, language?.region) !== undefined,
      ));
  if (isMeasured) return undefined;
  const isStated = amount?.unit === 'serving';
  return {
    basisAmount: (amount?.quantity ?? 1) * serving.basisAmount,
    source: nameOf(servingWords(serving)),
    fit: isStated ? 1 : 0.5,
    isAssumed: !isStated,
  };
}

/** Maximum grams, and minimum weight of a piece, to read "2 gr. Zwiebeln" as two large ones. */
const LARGE_PIECE_GRAMS = 20;

/** Weighs large pieces, where "gr." may be a gram or "große". */
function byLarge(
  food: Food,
  servings: readonly ServingWords[],
  described: Described,
): FoodAmount | undefined {
  const { amount, words, name } = described;
  if (amount?.unit !== 'g' || amount.size !== 'large') return undefined;
  const pieces = piecesOf(food.name, new Set([...words, ...name]));
  const piece = pieces && typicalPieceOf(pieces, 'whole', amount.size);
  if (piece === undefined || piece.grams < LARGE_PIECE_GRAMS) return undefined;
  const { unit: _, ...said } = amount;
  const large = byServing(food, servings, { ...described, amount: said });
  return large && { ...large, said };
}

const ADDITION = 'usual addition to ';

/** Weighs what is added to another food, without a number: "tea with milk", "toast with a little butter". */
function byAddition(food: Food, { amount, size = amount?.size, host }: Described): FoodAmount | undefined {
  const isLittle =
    amount?.unit === 'bit' || (amount?.article === true && amount.unit === undefined && size === 'small');
  if (host === undefined || (amount !== undefined && !isLittle)) return undefined;
  const added = addedPortionOf(food, host);
  if (added === undefined) return undefined;
  const [small, usual, large] = added;
  const each = isLittle || size === 'small' ? small : size === 'large' ? large : usual;
  return { basisAmount: host.times * each, source: `${ADDITION}${host.name}`, fit: 1, isAssumed: true };
}

/** Whether a source of `FoodAmount` says that the food was added to another one. */
export function isAddition(source: string): boolean {
  return source.startsWith(ADDITION);
}

/** Whether it says that the text states the amount. */
export function isStatedBy(source: string): boolean {
  return source === 'weight' || source.startsWith('volume');
}

const LITTLE_AMOUNT = 'small amount that is usual';
/** Share of a serving that is a little of a food without a usual portion: "a bit of salt". */
const LITTLE = 0.5;

/** Weighs "a large portion", "a small salad" and "a little rice" by what people eat, if no serving has that size. */
function byUsualPortion(
  food: Food,
  unit: string | undefined,
  size: string | undefined,
  quantity: number,
): FoodAmount | undefined {
  const isLittle = unit === 'bit';
  if (!isLittle && (quantity !== 1 || (unit !== undefined && unit !== 'serving'))) return undefined;
  const usual = usualPortionOf(food);
  if (!isLittle && (usual === undefined || (size !== 'small' && size !== 'large'))) return undefined;
  const first = food.servings[0].basisAmount;
  const known = size === 'large' && !isLittle ? usual?.p75 : usual?.p25;
  const factor = isLittle ? LITTLE : SIZE_FACTORS[size!]!;
  // A large portion is more than the serving that counts without a size, and a small one is less.
  const isBeyond = known !== undefined && (factor > 1 ? known > first : known < first || isLittle);
  const basisAmount = isBeyond ? known : factor * first;
  const source = isLittle ? LITTLE_AMOUNT : `usual ${size} portion`;
  return { basisAmount, source, fit: TYPICAL_PIECE, isAssumed: true };
}

const UNCOOKED: ReadonlySet<string> = new Set(['dry', 'raw', 'unpopped']);

/** Weighs "2 oz dry pasta" by "1 oz, dry, yields" of cooked pasta. */
function byYield(
  servings: readonly ServingWords[],
  grams: number,
  { words }: Described,
): FoodAmount | undefined {
  const uncooked = words.find((word) => UNCOOKED.has(word));
  if (uncooked === undefined) return undefined;
  const found = servings.find(
    ({ words: [unit, ...others] }) => unit === 'oz' && others.includes(uncooked) && others.includes('yield'),
  );
  if (found === undefined) return undefined;
  const basisAmount = (grams / UNITS.oz.grams!) * found.serving.basisAmount;
  return { basisAmount, source: nameOf(found), fit: 1, isAssumed: true };
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
  const asked = new Set([...described.words, described.size ?? amount.size ?? '']);
  const named = cups.filter(({ words }) =>
    words.some((word) => word !== 'cup' && asked.has(word) && !described.name.has(word)),
  );
  const found = named.length === 0 ? undefined : byServing(food, named, described);
  return found === undefined ? undefined : { ...found, fit: found.fit + NAMED_CUP };
}

/** Weighs by length; if no serving states a length, pieces count as usual ones. */
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
  const pieces = piecesOf(food.name, new Set([...described.words, ...described.name]));
  const byCm = pieces && weighByCm(pieces, sized);
  if (byCm !== undefined) return byCm;
  const { amount: _, ...rest } = described;
  const found = byServing(food, servings, rest);
  return found && { ...found, basisAmount: sized.count * found.basisAmount, isAssumed: true };
}

const NO_WORDS: ReadonlySet<string> = new Set();
/** Fit of a serving of exactly the named cup. */
const NAMED_CUP = 0.5;

function byServing(
  food: Food,
  servings: readonly ServingWords[],
  described: Described,
): FoodAmount | undefined {
  const { amount, words, name } = described;
  const size = sizeIn(described);
  const quantity = amount?.quantity ?? 1;
  const wanted = new Set([...words, ...(size ?? '').split('_'), stemOf(amount?.unit ?? '')]);
  wanted.delete('');
  // A fun-size package is the fun size of a sweet, which may lack a package.
  const unit =
    size === 'fun_size'
      ? undefined
      : amount?.unit === undefined
        ? [...wanted].find((word) => isServingUnit(word) && !name.has(word))
        : stemOf(amount.unit);
  // "extra" alone is not a size: "without extra fat".
  const asksSize = [...wanted].some((word) => word !== 'extra' && isSize(word));
  if (amount === undefined && unit === undefined && !asksSize) {
    const [first] = servings;
    const fit = Number(isNamed(first!));
    const { basisAmount } = food.servings[0];
    const one = { basisAmount, source: nameOf(first!), fit, isAssumed: true };
    return isOfOnePiece(first!) ? ofPlural(food, one, described) : one;
  }
  const asked = { wanted, unit, asksSize, name, otherName: otherNameOf(food, name), quantity };
  const best = bestMatch(servings, asked);
  if (best === undefined) return undefined;
  const piece = amount && byTypicalPiece(food, servings, asked, best, size);
  if (piece) return piece;
  const typical = byTypicalServing(food, servings, asked, best, size, described.language);
  if (typical) return typical;
  const isAnswer = isNamed(best.serving) && (unit === undefined ? !asksSize || best.hasSize : best.hasUnit);
  const isHalf = unit === undefined && isNamed(best.serving);
  return {
    // Without an amount the usual serving counts: "2 slices" of bacon.
    basisAmount:
      amount === undefined
        ? best.serving.serving.basisAmount
        : (quantity * best.serving.serving.basisAmount) / best.serving.count,
    source: nameOf(best.serving),
    fit: (isAnswer ? 1 : isHalf ? 0.5 : 0) + 0.4 * Math.min(2, best.extra),
    isAssumed: amount === undefined || !isAnswer,
  };
}

/** Reads "2 Stück" of a food that has no pieces as its number: two sausages. In English a piece is a part of it. */
function countedPieces(servings: readonly ServingWords[], described: Described): Described {
  const { amount, words, language } = described;
  if (amount?.unit !== 'piece' || language?.code === 'en' || !isOfOnePiece(servings[0]!)) return described;
  if (servings.some((serving) => serving.words.some((word) => word === 'piece' || isAlike('piece', word))))
    return described;
  const { unit: _, ...number } = amount;
  return { ...described, amount: number, words: words.filter((word) => word !== 'piece') };
}

/** The size of an amount or a food; those of English are among the words around it. */
function sizeIn({ amount, size = amount?.size, words, name }: Described): string | undefined {
  return size ?? words.flatMap((word) => (name.has(word) ? [] : (canonicalSize(word) ?? [])))[0];
}

/** If the best serving has not the size or the unit of the text, weighs by what is typical of them. */
function byTypicalServing(
  food: Food,
  servings: readonly ServingWords[],
  { wanted, asksSize, unit, quantity }: Wanted,
  best: Match,
  size: string | undefined,
  language: Described['language'],
): FoodAmount | undefined {
  const isOfFountain = language === undefined || language.code === 'en';
  const sized =
    (asksSize ? byTypicalSize(servings, best, { size, unit, quantity, isOfFountain }) : undefined) ??
    (!best.hasSize || unit === 'bit' ? byUsualPortion(food, unit, size, quantity) : undefined);
  if (sized !== undefined || unit === undefined || best.hasUnit) return sized;
  return byTypical(food, servings, unit, quantity, wanted) ?? byPackage(food, servings, best, unit, quantity);
}

/**
 * If the best serving does not match, weighs by the table of typical pieces, or by a plain serving of the
 * counted thing.
 */
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
  const own = wordsOfName(food.name).map(({ stem }) => stem);
  // The bun of "a cinnamon bun" is the cinnamon roll.
  const others = [...wanted].filter((word) => !own.some((stem) => stem === word || isAlike(word, stem)));
  const named = unit ?? pieceNamed(others, pieces);
  const piece = typicalPieceOf(pieces, named ?? 'whole', size);
  if (piece === undefined) return undefined;
  if (!piece.isFirm) {
    if (named !== undefined && best.serving.words.includes(named)) return undefined;
    if (named === undefined && isAnswer(best, servings, { ...asked, asksSize })) return undefined;
    const plain =
      named !== undefined || asksSize
        ? undefined
        : servings.find((serving) => isPlain(serving, asked, false));
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
  // Nobody eats a plate of cheese as full as one of pasta.
  const most = unit === 'plate' || unit === 'bowl' ? usualPortionOf(food)?.p95 : undefined;
  if (most !== undefined && most < each)
    return { basisAmount: quantity * most, source: 'usual large portion', fit: 0.3, isAssumed: true };
  return { basisAmount: quantity * each, source: `typical ${unit} of ${measure}`, fit: 0.3, isAssumed: true };
}
