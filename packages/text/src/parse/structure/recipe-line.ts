import type { Amount } from '../../find-amounts.ts';
import { type IngredientLine, readIngredientLine } from '../../ingredient-line.ts';
import type { Language } from '../../language.ts';
import type { MealWords } from '../../meal-words.ts';
import type { Token } from '../../tokens.ts';
import type { FoodNames } from '../food-names.ts';
import { stemOf } from '../names/name-words.ts';
import { isArticle, isMeasured, sizeBeginsName } from '../phrases/phrase.ts';
import type { ReadingBudget } from '../reading-budget.ts';
import { KNOWN } from './food-words.ts';

export interface TextToRead {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly amounts: readonly Amount[];
  readonly language: Language;
  readonly words: MealWords;
  readonly names: FoodNames;
  readonly budget: ReadingBudget;
  /** The text has no sentences. */
  readonly isList: boolean;
}

/** Sizes that are rarely part of a name, unlike in "big mac". */
const PLAIN_SIZES: ReadonlySet<string> = new Set(['small', 'medium', 'large']);

/**
 * Reads the text as one recipe line; undefined if it describes a meal. `isOneFood` means that it has one food
 * when read as a meal. A recipe line begins with its amount or has none, and names one food; the preparation
 * follows: "2 onions, finely chopped".
 */
export function readRecipeLine(read: TextToRead, isOneFood: boolean): IngredientLine | undefined {
  const { text, tokens, amounts, language, words, names, isList } = read;
  if (
    !isList ||
    tokens.some(({ folded }, at) => !PLAIN_SIZES.has(folded) && sizeBeginsName(tokens, at, names))
  )
    return undefined;
  const [first, ...others] = amounts.filter((amount) => !amount.aside);
  const isCounted = first !== undefined && !(isArticle(first) && first.size === undefined);
  if (isCounted && !isAtEdge(first, tokens)) return undefined;
  // Excludes "sandwich with 2 slices of ham".
  const link = isCounted ? tokens[first.firstToken - 1]?.folded : undefined;
  if (link !== undefined && words.listing.has(link)) return undefined;
  // Excludes "steak 8 oz with green beans".
  if (isCounted && first.firstToken > 0 && words.listing.has(tokens[first.endToken]?.folded ?? ''))
    return undefined;
  if (isCounted && others.some((amount) => isArticle(amount) && isFurtherFood(amount, read)))
    return undefined;
  // The weight of "2 slices of bread 80 g" counts.
  const last = others.at(-1);
  if (isCounted && !isMeasured(first) && last !== undefined && endsWithWeight(last, tokens)) return undefined;
  if (!isCounted && !isOneFood && !hasRemark(tokens, language)) return undefined;
  const line = readIngredientLine(text, language, tokens);
  return /\p{L}/u.test(line.name.text) ? line : undefined;
}

/** Whether a text describes a meal in sentences: "I had", "for lunch", or the end of a sentence before another. */
export function describesMeal(
  tokens: readonly Token[],
  words: MealWords,
  amounts: readonly Amount[],
): boolean {
  // The period of "1 kl. Zwiebel" does not end a sentence.
  const isInAmount = (at: number) =>
    amounts.some(({ firstToken, endToken }) => at >= firstToken && at < endToken);
  return tokens.some((_, at) => isOfMeal(at, tokens, words) && !isInAmount(at));
}

function isOfMeal(at: number, tokens: readonly Token[], words: MealWords): boolean {
  const { folded, text, joined } = tokens[at]!;
  if (words.telling.has(folded)) return true;
  // Excludes "z. B.".
  if (text !== '.' || !joined || tokens[at - 1]?.text.length === 1) return false;
  const next = tokens[at + 1]?.joined === true ? at + 2 : at + 1;
  return /^\p{Lu}/u.test(tokens[next]?.text ?? '');
}

/** Whether a weight ends the text directly after the name: "bowl of soup 300 g", "2 onions, 200 g"; not "parsley, chopped to give 1 cup". */
function endsWithWeight(amount: Amount, tokens: readonly Token[]): boolean {
  if (amount.endToken !== tokens.length || !isMeasured(amount)) return false;
  const comma = tokens.slice(0, amount.firstToken).findLastIndex(({ text }) => /^[,;(]$/.test(text));
  return comma < 0 || comma === amount.firstToken - 1;
}

/** Whether the amount precedes the name, or follows it at the end: "eggs 2". */
function isAtEdge({ firstToken, endToken }: Amount, tokens: readonly Token[]): boolean {
  return firstToken <= MAX_LEADING_TOKENS || endToken === tokens.length;
}

/** Maximum words before the amount: "about", "scant", "juice of". */
const MAX_LEADING_TOKENS = 2;

/** Whether an article belongs to another food: "2 eggs and a coffee", but not "wiped with a towel", "or a lime". */
function isFurtherFood({ firstToken, endToken }: Amount, read: TextToRead): boolean {
  const { tokens, language, names, words } = read;
  const before = tokens[firstToken - 1];
  if (before === undefined) return false;
  const isListed =
    before.text === ',' || words.listing.has(before.folded) || words.separating.has(before.folded);
  if (!isListed) return false;
  if (words.belonging.has(before.folded) || before.folded === 'plus') return false;
  const next = tokens[endToken];
  if (next?.kind !== 'word' || words.fillers.has(next.folded)) return false;
  const isRemark = [language.connectors, language.preparations].some((words) => words.has(tokens, endToken));
  const likeness = names.likenessOf(stemOf(next.folded));
  // An unknown word may be an unknown food: "and a xqzvw".
  return !isRemark && (likeness >= KNOWN || (likeness === 0 && before.text !== ','));
}

/** Whether a comma or parenthesis begins the preparation or purpose: "watercress, to serve". */
function hasRemark(tokens: readonly Token[], language: Language): boolean {
  return tokens.some(
    ({ text }, at) =>
      (text === ',' || text === '(') &&
      (language.preparations.has(tokens, at + 1) ||
        language.adverbs.has(tokens, at + 1) ||
        language.afterNames.has(tokens, at + 1)),
  );
}
