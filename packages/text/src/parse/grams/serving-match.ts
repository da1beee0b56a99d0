import { unitOfWord } from '../../units.ts';
import type { ServingWords } from './serving-words.ts';
import { isAlike } from './typical-amounts.ts';

const SIZES: ReadonlySet<string> = new Set(
  'small medium large regular miniature mini extra thin thick tall short big jumbo individual fun snack footlong'.split(
    ' ',
  ),
);
export function isSize(word: string): boolean {
  return SIZES.has(word);
}

/** Sizes that are assumed if none is stated. */
const USUAL_SIZES: ReadonlySet<string> = new Set(['medium', 'regular', 'individual']);
export function isUsualSize(size: string): boolean {
  return USUAL_SIZES.has(size);
}

const SAME_SIZE: ReadonlyMap<string, readonly string[]> = new Map([
  ['small', ['sm']],
  ['medium', ['med', 'regular']],
  ['regular', ['medium']],
  ['large', ['lg', 'big', 'huge', 'giant', 'jumbo']],
  ['fun', ['snack', 'small']],
  ['snack', ['fun']],
  ['miniature', ['mini', 'tiny', 'bite']],
]);

const STATED_SIZES = ['small', 'medium', 'large', 'miniature', 'thin', 'thick'] as const;

/** The size that a word of English states, if it says how much of a food there is. */
export function canonicalSize(word: string): string | undefined {
  return STATED_SIZES.find((size) => hasSize(word, size));
}

export function hasSize(word: string, size: string): boolean {
  return word === size || SAME_SIZE.get(size)?.includes(word) === true;
}

/** Words of servings for the entire food, and for a part of it: "an avocado" is "1 fruit" and not "1 slice". */
const WHOLES: ReadonlySet<string> = new Set(['whole', 'full', 'fruit', 'entire']);
/** Maximum weight of a small piece: "a gummy bear" is a piece and not a bag, but a chocolate is probably a bar. */
const SMALL_PIECE_GRAMS = 5;
/** Maximum weight of a piece; heavier ones are the whole food. */
const PIECE_GRAMS = 30;
const PACKAGES: ReadonlySet<string> = new Set('handful bag pouch package pack packet box'.split(' '));
const PARTS: ReadonlySet<string> = new Set(
  'slice half quarter strip wedge ring cube cubic inch surface triangular shred'.split(' '),
);
// Points for the words of a serving. Chosen by hand; mainly their order matters.
const SAME_UNIT = 3;
const ALIKE_UNIT = 2;
const SAME_SIZE_POINTS = 1.5;
const LIKE_SIZE_POINTS = 1.3;
const OTHER_WORD = 1.2;
const NAME_WORD = 0.2;
const NAME_WORD_BESIDE_UNIT = 0.1;
/** Points of a word of the name if several are counted: "1 taco" for "two tacos". */
const COUNTED_NAME_WORD = 0.7;
const UNASKED_SIZE = -0.7;
const UNASKED_USUAL_SIZE = -0.12;
const UNASKED_WORD = -0.35;
const UNASKED_PART = -0.7;
/** Points of "1 piece" and "1 puff" if several are counted: "4 nigiri" are no servings. */
const COUNTED_PIECE = -0.2;
/** Additional points of a package that the text does not name. */
const UNASKED_PACKAGE = -0.45;
const WHOLE = 0.2;
/** Points of the first serving, the usual one, if the text states nothing else. */
const USUAL = 0.3;
const LATER_SERVING = -0.02;
const UNASKED_VOLUME = -0.3;
const COUNTED_VOLUME = -1.2;
const NO_WORDS = -0.6;

/** How a serving matches a text. */
export interface Match {
  readonly serving: ServingWords;
  readonly points: number;
  /** A word of the text is in the serving. */
  readonly isSaid: boolean;
  readonly hasUnit: boolean;
  readonly hasSize: boolean;
  /** Number of shared words besides unit and size. */
  readonly extra: number;
}

/** The part of an amount's text that a serving may match. */
export interface Wanted {
  readonly wanted: ReadonlySet<string>;
  readonly unit: string | undefined;
  readonly asksSize: boolean;
  readonly name: ReadonlySet<string>;
  /** Stems of the food's name if the text uses other words for it. */
  readonly otherName: ReadonlySet<string>;
  readonly quantity: number;
}

/** The serving with the most points. */
export function bestMatch(servings: readonly ServingWords[], wanted: Wanted): Match | undefined {
  const { unit, asksSize, quantity } = wanted;
  const isBare = unit === undefined && !asksSize && quantity === 1;
  const hasSmallPieces = servings.some(isSmallPiece);
  let best: Match | undefined;
  for (const [at, serving] of servings.entries()) {
    const match = matchServing(serving, wanted);
    let points = match.points + at * LATER_SERVING;
    if (at === 0 && isBare) points += usualPoints(serving);
    if (hasSmallPieces && unit === undefined && !match.isSaid && isPackage(serving))
      points += UNASKED_PACKAGE;
    if (best === undefined || points > best.points) best = { ...match, points };
  }
  return best;
}

/** Points of the first serving for a text that counts one. */
function usualPoints(serving: ServingWords): number {
  const { words } = serving;
  // "A sausage" is not a slice of it, although four slices are usual.
  if (words.some((word) => PARTS.has(word))) return 0;
  // "A coffee" is a small one if that is usual.
  return words[0] === 'small' && !isPackage(serving) ? USUAL - UNASKED_SIZE : USUAL;
}

/**
 * Whether a serving is the thing that the text counts: each of its words is in the text or the name, or names
 * an entire piece of usual size. "1 grape tomato", "1 slice" and "1 cup" are not what "2 tomatoes" counts.
 */
export function isPlain(
  { words, choices, unitMl }: ServingWords,
  { wanted, name, otherName }: Wanted,
  isUsual: boolean,
): boolean {
  if (words.length === 0 || unitMl !== undefined) return false;
  return choices.every((choice) =>
    choice.some(
      (word) =>
        wanted.has(word) ||
        name.has(word) ||
        otherName.has(word) ||
        WHOLES.has(word) ||
        (isUsual ? SIZES : USUAL_SIZES).has(word),
    ),
  );
}

/** Whether a serving has the size that the text states, and is not a part that the text does not name. */
export function isSized({ serving: { words }, hasSize }: Match, { wanted }: Wanted): boolean {
  return hasSize && words.every((word) => wanted.has(word) || !PARTS.has(word));
}

function isPackage({ words }: ServingWords): boolean {
  return words.some((word) => PACKAGES.has(word));
}

function isSmallPiece({ serving, words, count }: ServingWords): boolean {
  return words[0] === 'piece' && serving.basisAmount / count <= SMALL_PIECE_GRAMS;
}

const HELPINGS: ReadonlySet<string> = new Set([
  'serving',
  'portion',
  'order',
  'meal',
  'recipe',
  'scoop',
  'cup',
]);

/** Whether a serving is one thing that can be counted: "1 sausage", unlike "1 cup" or "100 g". */
export function isOfOnePiece({ words, unitMl, count }: ServingWords): boolean {
  const isHelping = (word: string) =>
    HELPINGS.has(word) || PACKAGES.has(word) || /^(?:container|mass)$/.test(unitOfWord(word)?.kind ?? '');
  return words.length > 0 && unitMl === undefined && count === 1 && !words.some(isHelping);
}

/** Whether a serving is a piece: "1 chip" is one of chips, "1 cake" is not one of cake. */
function isSmall({ serving, count }: ServingWords): boolean {
  return serving.basisAmount / count <= PIECE_GRAMS;
}

function matchServing(serving: ServingWords, wanted: Wanted): Match {
  const match = { serving, points: 0, isSaid: false, hasUnit: false, hasSize: false, extra: 0 };
  for (const choice of serving.choices) {
    let said = 0;
    let unasked = 0;
    for (const word of choice) {
      const isPiece = word === serving.words[0] && wanted.name.has(word) && isSmall(serving);
      const { points, is } = isOtherName(word, serving, wanted)
        ? { points: NAME_WORD }
        : matchWord(word, wanted, isPiece);
      said += Math.max(0, points);
      unasked = Math.min(unasked, points);
      if (is === 'unit') match.hasUnit = true;
      if (is === 'size') match.hasSize = true;
      if (is === 'extra') match.extra++;
    }
    match.points += said > 0 ? said : unasked;
    if (said > 0) match.isSaid = true;
  }
  if (serving.words.length === 0) match.points += NO_WORDS;
  if (serving.unitMl !== undefined && wanted.unit === undefined) {
    match.points += wanted.quantity === 1 ? UNASKED_VOLUME : COUNTED_VOLUME;
  }
  return match;
}

/** Whether a word names the food differently: "2 Eier" are "1 egg" each. */
function isOtherName(word: string, { words }: ServingWords, { unit, otherName }: Wanted): boolean {
  return unit === undefined && word === words[0] && otherName.has(word) && !SIZES.has(word);
}

interface WordMatch {
  readonly points: number;
  readonly is?: 'unit' | 'size' | 'extra';
}

/** Matches one word; `isPiece` means that it stands for a piece of the food. */
function matchWord(word: string, asked: Wanted, isPiece: boolean): WordMatch {
  const { wanted, unit, name, quantity } = asked;
  if (unit === word) return { points: SAME_UNIT, is: 'unit' };
  if (unit !== undefined && (isAlike(unit, word) || (unit === 'piece' && isPiece))) {
    return { points: ALIKE_UNIT, is: 'unit' };
  }
  if (!wanted.has(word)) {
    return SIZES.has(word) && SAME_SIZE.get(word)?.some((other) => wanted.has(other)) === true
      ? { points: LIKE_SIZE_POINTS, is: 'size' }
      : { points: unaskedPoints(word, asked) };
  }
  if (SIZES.has(word)) return { points: SAME_SIZE_POINTS, is: 'size' };
  if (!name.has(word)) return { points: OTHER_WORD, is: 'extra' };
  if (unit !== undefined) return { points: NAME_WORD_BESIDE_UNIT };
  return { points: quantity === 1 ? NAME_WORD : COUNTED_NAME_WORD };
}

/** Whether a word of a serving names a piece of this food, unlike a part, a helping or a measure. */
function isPiece(word: string): boolean {
  return word === 'piece' || !(PARTS.has(word) || HELPINGS.has(word) || unitOfWord(word) !== undefined);
}

/** Points of a word of the serving that the text lacks. */
function unaskedPoints(word: string, { wanted, unit, asksSize, quantity }: Wanted): number {
  if (SIZES.has(word)) {
    if (asksSize || !USUAL_SIZES.has(word)) return UNASKED_SIZE;
    return unit === undefined ? 0 : UNASKED_USUAL_SIZE;
  }
  if (unit !== undefined) return UNASKED_WORD;
  if (word === 'piece' && wanted.has('bar')) return UNASKED_PART;
  if (quantity > 1 && isPiece(word)) return COUNTED_PIECE;
  return WHOLES.has(word) ? WHOLE : PARTS.has(word) ? UNASKED_PART : UNASKED_WORD;
}
