import type { Amount } from '../../text/amounts.ts';
import type { Token } from '../../text/tokens.ts';
import type { NameHit } from '../food/food-names.ts';
import { isSize } from './grams/serving-match.ts';
import type { MealWords } from './meal-words.ts';
import { isEmptyWord, stemOf } from './names/name-words.ts';
import { amountsOf, isNamed, type Phrase, type PhraseWord, SIZED_PARTS } from './phrase.ts';

/** What a text says of one food. */
export interface MealItem {
  readonly words: readonly PhraseWord[];
  readonly amount?: Amount;
  /** Foods that may be meant, best first; none if no name has the words. */
  readonly hits: readonly NameHit[];
  /** The link before it: "and", "with", ",". */
  readonly link: string;
  readonly firstToken: number;
  /** Stems of words that may describe the serving. */
  readonly described: readonly string[];
  /** The words that name the food, as UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** Words of less weight are no part of the name that is shown. */
const MIN_SAID = 0.1;

export interface TextOfMeal {
  readonly tokens: readonly Token[];
  readonly words: MealWords;
}

interface FoundFood {
  readonly span: readonly Phrase[];
  readonly words: readonly PhraseWord[];
  readonly hits: readonly NameHit[];
  readonly amount: Amount | undefined;
}

/** The phrases as one food. */
export function toMealItem(
  { tokens, words: mealWords }: TextOfMeal,
  { span, words, hits, amount }: FoundFood,
): MealItem {
  const amounts = amountsOf(span);
  const from = Math.min(span[0]!.firstToken, ...amounts.map(({ firstToken }) => firstToken));
  const to = Math.max(span.at(-1)!.endToken, ...amounts.map(({ endToken }) => endToken));
  return {
    words,
    hits,
    link: span[0]!.link,
    firstToken: span[0]!.firstToken,
    described: describe(
      tokens,
      from,
      span.find(({ isPart }) => isPart)?.firstToken ?? to,
      endOfSizes(span, mealWords) ?? to,
    ),
    ...extentOf(tokens, words),
    ...(amount !== undefined && { amount }),
  };
}

/** From the first to the last word that says something about the food. */
function extentOf(
  tokens: readonly Token[],
  words: readonly PhraseWord[],
): { readonly start: number; readonly end: number } {
  const said = words.filter(({ weight }) => weight >= MIN_SAID);
  const some = said.length > 0 ? said : words;
  return { start: tokens[some[0]!.token]!.start, end: tokens[some.at(-1)!.token]!.end };
}

/** The token after which sizes are those of what belongs to the food: "pizza on a medium crust". */
function endOfSizes([first, ...others]: readonly Phrase[], { belonging }: MealWords): number | undefined {
  return isNamed(first!) ? others.find(({ link }) => belonging.has(link))?.firstToken : undefined;
}

/** Stems of the words that may describe the serving. */
function describe(tokens: readonly Token[], from: number, to: number, endOfSize: number): string[] {
  return tokens
    .slice(from, to)
    .filter(
      ({ kind, folded, text }, at, all) =>
        kind === 'word' &&
        folded !== 'a' &&
        folded !== 'an' &&
        !isEmptyWord(folded) &&
        (!isSize(stemOf(folded)) || (from + at < endOfSize && !SIZED_PARTS.has(all[at + 1]?.folded ?? ''))) &&
        // "every bite" is no size.
        (!/^bites?$/.test(text) || all[at + 1]?.text === '-' || all[at + 1]?.folded === 'size'),
    )
    .map(({ folded }) => stemOf(folded));
}
