import type { Language } from '../language.ts';
import { type Token, tokenise } from '../tokens.ts';
import { addedScore } from './manner.ts';
import type { MealItem } from './meal-item.ts';
import { isArticle } from './phrases/phrase.ts';
import { KNOWN } from './structure/food-words.ts';
import type { TextToRead } from './structure/recipe-line.ts';

/**
 * Whether a text lists foods: the words after the first food name another food, not an alternative, a preparation or
 * a remark.
 */
export function listsFoods(items: readonly MealItem[], read: TextToRead): boolean {
  const { tokens, language, words, names } = read;
  const others = items.slice(1);
  const isChoice = ({ link, firstToken }: MealItem) =>
    isOr(link, language) || language.or.has(tokens, firstToken - 1);
  if (others.some(isChoice)) return false;
  const before = factsBefore(read);
  return others.some(({ words: said, hits, amount, link, firstToken }) => {
    // "20 g each of nuts and raisins" states one amount for all.
    if (amount !== undefined && !isArticle(amount) && amount !== items[0]!.amount) return false;
    // Matches "eggs and xqzvw", but not "garlic, crushed in pestle and mortar".
    if (hits.length === 0) return !before[firstToken]!.isDivided;
    if (link !== ',' && !words.listing.has(link) && !words.separating.has(link)) return false;
    const { isAside, isRemark } = before[firstToken]!;
    if (isAside || isRemark || before[firstToken + 1]!.hasExample) return false;
    // Matches "rinsed", and "ground" in "toasted and ground".
    const isPrepared = [firstToken, firstToken - 2].some((at) =>
      [language.preparations, language.adverbs, language.parts].some((phrases) => phrases.has(tokens, at)),
    );
    const isKnown = said.some(({ stem }) => names.likenessOf(stem) >= KNOWN);
    return (
      !isPrepared &&
      isKnown &&
      (hits[0]?.score ?? 0) >= addedScore(words.belonging.has(link) ? ',' : link, true)
    );
  });
}

/** Facts about a food that begins at a token, from the words before it. */
interface FactsBefore {
  /** A comma, a parenthesis or a hyphen is among them. */
  readonly isDivided: boolean;
  /** The last parenthesis is open. */
  readonly isAside: boolean;
  /** It is one of several examples: "herbs, such as dill or mint". */
  readonly hasExample: boolean;
  /**
   * It is used in the preparation of the food before: "1 egg, beaten with a little water", "5 cloves garlic, crushed with
   * salt".
   */
  readonly isRemark: boolean;
}

/** Returns the facts before each token and before the end, in one pass over the tokens. */
function factsBefore({ tokens, language, words }: TextToRead): readonly FactsBefore[] {
  let facts: FactsBefore = { isDivided: false, isAside: false, hasExample: false, isRemark: false };
  let isMixed = false;
  let isPreparedAfterComma = false;
  let hasComma = false;
  const all = [facts];
  for (const [at, { text, folded }] of tokens.entries()) {
    if (text === ',') {
      hasComma = true;
      isPreparedAfterComma = false;
    } else if (words.belonging.has(tokens[at + 1]?.folded ?? '')) {
      isPreparedAfterComma ||= hasComma && language.preparations.has(tokens, at);
    }
    isMixed ||= words.mixing.has(folded) && words.belonging.has(tokens[at + 1]?.folded ?? '');
    facts = {
      isDivided: facts.isDivided || /[,(-]/.test(text),
      isAside: text === '(' || (facts.isAside && text !== ')'),
      hasExample: facts.hasExample || language.examples.has(tokens, at),
      isRemark: isMixed || isPreparedAfterComma,
    };
    all.push(facts);
  }
  return all;
}

/** Maximum words before a food that mean "or": "and/or". */
const MAX_OR_TOKENS = 3;

/**
 * The foods that are alternatives to the food before: tea in "coffee or tea", and all but the first of
 * "olives, nuts, or seeds".
 */
export function choicesAmong<Item extends MealItem>(
  items: readonly Item[],
  { tokens, language }: TextToRead,
): ReadonlySet<Item> {
  const choices = new Set<Item>();
  // In "rice 200 g / 100 g chicken / honey" the sign separates foods.
  const isSign = (at: number) => tokens[at]?.text === '/';
  const divides = items.some(({ amount }) => amount !== undefined && isSign(amount.firstToken - 1));
  for (const [at, item] of items.entries()) {
    if (item.amount !== undefined) continue;
    const or = Array.from(
      { length: MAX_OR_TOKENS },
      (_, before) => item.firstToken - MAX_OR_TOKENS + before,
    ).find((token) => language.or.at(tokens, token)?.end === item.firstToken);
    if (or === undefined && !isOr(item.link, language)) continue;
    // "w/" is "with".
    const isShort = or !== undefined && isSign(or) && tokens[or - 1]?.text.length === 1;
    if (isShort || (divides && or !== undefined && isSign(or))) continue;
    choices.add(item);
    if (or === undefined || !isOxfordComma(or - 1, tokens)) continue;
    for (let other = at - 1; other > 0; other--) {
      const { link, amount } = items[other]!;
      if (link !== ',' || amount !== undefined) break;
      choices.add(items[other]!);
    }
  }
  return choices;
}

/** Whether a comma precedes the word, as in "olives, nuts, or seeds". */
function isOxfordComma(at: number, tokens: readonly Token[]): boolean {
  return tokens[at]?.text === ',' || (tokens[at]?.folded === 'and' && tokens[at - 1]?.text === ',');
}

function isOr(link: string, language: Language): boolean {
  return language.or.has(tokenise(link), 0);
}
