import type { Amount } from '../find-amounts.ts';
import { type IngredientLine, readIngredientLine } from '../ingredient-line.ts';
import type { Language } from '../language.ts';
import type { Token } from '../tokens.ts';
import { UNITS } from '../units.ts';
import type { FoodNames } from './food-names.ts';
import { stemOf } from './names/name-words.ts';
import type { MealWords } from './phrases/meal-words.ts';
import { isArticle, isMeasured, sizeBeginsName } from './phrases/phrase.ts';
import type { ReadingBudget } from './reading-budget.ts';

export interface TextToRead {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly amounts: readonly Amount[];
  readonly language: Language;
  readonly words: MealWords;
  readonly names: FoodNames;
  readonly budget: ReadingBudget;
}

/**
 * Reads the text as one line of a recipe; undefined if it describes a meal. `isOneFood` tells that it has one food when
 * read as a meal. A recipe's line begins with its amount or has none, and names one food; its preparation follows: "2
 * onions, finely chopped".
 */
export function readRecipeLine(read: TextToRead, isOneFood: boolean): IngredientLine | undefined {
  const { text, tokens, amounts, language, words, names } = read;
  if (tokens.some((_, at) => isOfMeal(at, read) || sizeBeginsName(tokens, at, names))) return undefined;
  const [first, ...others] = amounts.filter((amount) => !amount.aside);
  const isCounted = first !== undefined && !(isArticle(first) && first.size === undefined);
  if (isCounted && !isAtEdge(first, tokens)) return undefined;
  // This excludes "steak 8 oz with green beans".
  if (isCounted && first.firstToken > 0 && words.listing.has(tokens[first.endToken]?.folded ?? ''))
    return undefined;
  if (isCounted && others.some((amount) => isFurtherFood(amount, read))) return undefined;
  if (!isCounted && !isOneFood && !hasRemark(tokens, language)) return undefined;
  const line = readIngredientLine(text, language);
  return /\p{L}/u.test(line.name.text) ? line : undefined;
}

/** Whether a token shows a meal: "I had", "for lunch", or the end of a sentence before another. */
function isOfMeal(at: number, { words, tokens }: TextToRead): boolean {
  const { folded, text, joined } = tokens[at]!;
  if (words.telling.has(folded)) return true;
  if (text !== '.' || !joined) return false;
  const next = tokens[at + 1]?.joined === true ? at + 2 : at + 1;
  return /^\p{Lu}/u.test(tokens[next]?.text ?? '');
}

/** Whether the amount precedes the name, or follows it at the end: "eggs 2". */
function isAtEdge({ firstToken, endToken }: Amount, tokens: readonly Token[]): boolean {
  return firstToken <= MAX_LEADING_TOKENS || endToken === tokens.length;
}

/** Maximum words before the amount: "about", "scant", "juice of". */
const MAX_LEADING_TOKENS = 2;

/**
 * Whether an amount counts another food: "2 eggs, 3 slices bacon", but not "cut into 2 cm cubes", "plus 1 tbsp for the
 * pan".
 */
function isFurtherFood(amount: Amount, read: TextToRead): boolean {
  const { firstToken, endToken, unit } = amount;
  const { tokens, language, names, words } = read;
  if (unit !== undefined && UNITS[unit].kind === 'length') return false;
  const before = tokens[firstToken - 1];
  if (before === undefined || !(before.text === ',' || words.links.has(before.folded))) return false;
  if (words.notFoods.has(before.folded) || before.folded === 'plus') return false;
  const at = language.of.at(tokens, endToken)?.end ?? endToken;
  const next = tokens[at];
  if (next?.kind !== 'word' || language.connectors.has(tokens, at) || language.preparations.has(tokens, at))
    return false;
  if (words.fillers.has(next.folded)) return false;
  const likeness = names.likenessOf(stemOf(next.folded));
  // A word in no name may be an unknown food: "and 100 g xqzvw".
  return likeness >= 0.9 || (likeness === 0 && (isMeasured(amount) || before.text !== ','));
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
