import type { TextOfMeal } from './meal-item.ts';
import type { Phrase } from './phrases/phrase.ts';

/** Whether a word is a participle of preparation: "boiled" and "mixed", but not "seed". */
export function isParticiple(token: number, { tokens, words }: TextOfMeal): boolean {
  const { folded } = tokens[token]!;
  return words.participles.some((ending) => folded.endsWith(ending)) && !/ee.$/.test(folded);
}

/**
 * Whether the noun of a phrase is a taste, a feeling or a wish and no food: "a sweet and sour taste", "a healthy
 * choice".
 */
export function tellsQuality({ endToken }: Phrase, { tokens, words }: TextOfMeal): boolean {
  return words.qualities.has(tokens[endToken - 1]?.folded ?? '');
}
