import type { TextOfMeal } from './meal-item.ts';
import type { Phrase } from './phrases/phrase.ts';
import { FILLER_WEIGHT, WEAK_WEIGHT } from './phrases/word-weights.ts';

/** Whether a word is a participle of preparation: "boiled" and "mixed", but not "seed". */
function isParticiple(token: number, { tokens, words }: TextOfMeal): boolean {
  const { folded } = tokens[token]!;
  return words.participles.some((ending) => folded.endsWith(ending)) && !/ee.$/.test(folded);
}

/**
 * Whether the noun of a phrase is a taste, a feeling or a wish, and not a food: "a sweet and sour taste", "a
 * healthy choice".
 */
export function namesQuality({ endToken }: Phrase, { tokens, words }: TextOfMeal): boolean {
  return words.qualities.has(tokens[endToken - 1]?.folded ?? '');
}

/** Whether a phrase only describes: "light", "boiled and salted". */
export function onlyDescribes({ words }: Phrase, text: TextOfMeal): boolean {
  return words.every(
    ({ weight, token }) => weight === WEAK_WEIGHT || weight <= FILLER_WEIGHT || isParticiple(token, text),
  );
}
