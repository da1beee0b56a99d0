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
export function listsFoods(
  items: readonly MealItem[],
  { tokens, language, words, names }: TextToRead,
): boolean {
  const others = items.slice(1);
  if (others.some(({ link }) => isOr(link, language))) return false;
  return others.some(({ words: said, hits, amount, link, firstToken }) => {
    // "20 g each of nuts and raisins" states one amount for all.
    if (amount !== undefined && !isArticle(amount) && amount !== items[0]!.amount) return false;
    // This matches "eggs and xqzvw", but not "garlic, crushed in pestle and mortar".
    if (hits.length === 0) return !tokens.slice(0, firstToken).some(({ text }) => /[,(-]/.test(text));
    if (link !== ',' && !words.listing.has(link) && !words.separating.has(link)) return false;
    if (isInParentheses(firstToken, tokens)) return false;
    const isPrepared = [language.preparations, language.adverbs, language.parts].some((phrases) =>
      phrases.has(tokens, firstToken),
    );
    const isKnown = said.some(({ stem }) => names.likenessOf(stem) >= KNOWN);
    return (
      !isPrepared &&
      isKnown &&
      (hits[0]?.score ?? 0) >= addedScore(words.belonging.has(link) ? ',' : link, true)
    );
  });
}

function isInParentheses(at: number, tokens: readonly Token[]): boolean {
  const before = tokens.slice(0, at).map(({ text }) => text);
  return before.lastIndexOf('(') > before.lastIndexOf(')');
}

export function isOr(link: string, language: Language): boolean {
  return language.or.has(tokenise(link), 0);
}
