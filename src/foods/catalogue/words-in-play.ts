import type { Food } from '@larder/core/food.ts';
import type { FoodLanguage } from '@larder/core/food-languages.ts';
import { ENGLISH, languageBit } from '@larder/core/name-languages.ts';
import { tokenise } from '@larder/core/words/tokenise.ts';

const MAX_WORDS = 48;
/** A typo or an unfinished word begins as the word that is meant. */
const BEGINNING = 3;

/**
 * Whether a food may be meant by callers who asked for these languages: it has each word of the query as it is written, in
 * any language, or one that begins alike in a language in play: those asked for, English, and unknown ones. So nobody gets a
 * food for its likeness to a word of another language.
 */
export function isInPlay(query: string, food: Food, languages: readonly FoodLanguage[]): boolean {
  const { name, brand, aliases, nameLanguages = [] } = food;
  const bits = languages.reduce((all, code) => all | languageBit(code), ENGLISH);
  const every = new Set<string>();
  const inPlay: string[] = [];
  for (const [at, text] of [name, ...aliases, brand ?? ''].entries()) {
    const words = tokenise(text, MAX_WORDS);
    for (const word of words) every.add(word);
    const stated = nameLanguages[at] ?? 0;
    if (stated === 0 || (stated & bits) !== 0) inPlay.push(...words);
  }
  return tokenise(query, MAX_WORDS).every(
    (token) =>
      every.has(token) ||
      inPlay.some((word) => word.startsWith(token.slice(0, BEGINNING)) || word.includes(token)),
  );
}
