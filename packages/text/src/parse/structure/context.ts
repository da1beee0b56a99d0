import type { Amount } from '../../find-amounts.ts';
import type { UnitName } from '../../units.ts';
import { UNITS } from '../../units.ts';
import { isArticle, isMeasured } from '../phrases/phrase.ts';
import type { TextToRead } from './recipe-line.ts';

export const TEXT_CONTEXTS = ['recipe', 'meal'] as const;
/** The kind of text: recipe lines state foods as they are bought, meals as they are eaten. */
export type TextContext = (typeof TEXT_CONTEXTS)[number];

const OF_RECIPES: ReadonlySet<UnitName> = new Set<UnitName>([
  'tsp',
  'tbsp',
  'pinch',
  'dash',
  'sprig',
  'bunch',
  'clove',
  'knob',
  'stalk',
  'head',
]);
const OF_MEALS: ReadonlySet<UnitName> = new Set<UnitName>([
  'bowl',
  'glass',
  'mug',
  'plate',
  'serving',
  'slice',
  'bottle',
  'order',
  'bite',
  'piece',
]);
const FRACTION = /[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]/;

/**
 * The context that the form of a text indicates; undefined if the signs are balanced. An array usually holds
 * recipe lines, one line with several foods a meal. If a text is the name of a food (`isName`), its words of preparation
 * are no sign: "émincé de dinde".
 */
export function contextOf(
  lines: readonly TextToRead[],
  { isArray = false, listsFoods = false, isName = false } = {},
): TextContext | undefined {
  const others = (isArray ? 1 : 0) - (listsFoods ? 1 : 0);
  const signs = lines.reduce((sum, line) => sum + signsOfRecipe(line, isName), others);
  return signs === 0 ? undefined : signs > 0 ? 'recipe' : 'meal';
}

/** The number of signs of a recipe minus those of a meal. */
function signsOfRecipe(read: TextToRead, isName: boolean): number {
  const { text, tokens, amounts, language, isList } = read;
  if (!isList) return -3;
  const counting = amounts.filter((amount) => countsFood(amount, read));
  const [first] = counting;
  const isPrepared = (at: number) =>
    !isName && (language.preparations.has(tokens, at) || language.adverbs.has(tokens, at));
  const isRemark = (at: number) => isPrepared(at) || language.afterNames.has(tokens, at);
  const all = [...tokens.keys()];
  const signs = [
    all.some(isPrepared),
    all.some((at) => /^[,(]$/.test(tokens[at]!.text) && isRemark(at + 1)),
    all.some((at) => language.optional.has(tokens, at)),
    FRACTION.test(text) && first?.unit !== undefined,
    amounts.some(({ alternatives, each }) => alternatives.length > 0 || each !== undefined),
    // "2 onions (200 g)", but not "rice (200 g), beans (100 g)"
    first !== undefined && amounts.some((amount) => amount.aside === true && isMeasured(amount)),
    OF_RECIPES.has(first?.unit as UnitName),
  ].filter(Boolean).length;
  const isLed = first !== undefined && isArticle(first);
  return (
    signs - (counting.length > 1 ? 2 : 0) - (isLed ? 1 : 0) - (OF_MEALS.has(first?.unit as UnitName) ? 1 : 0)
  );
}

/** Whether an amount counts a food of its own: not "or 2 cups", "(200 g)", "2 cm". */
function countsFood({ aside, unit, firstToken }: Amount, { tokens, language }: TextToRead): boolean {
  if (aside === true || language.or.has(tokens, firstToken - 1)) return false;
  return unit === undefined || UNITS[unit].kind !== 'length';
}
