import { SAME_FOOD } from './same-food.ts';

/** Phrases of at most this many words are looked up. */
export const MAX_PHRASE_WORDS = 3;

/** Phrase → the other phrases of its groups. */
const OTHERS: ReadonlyMap<string, readonly string[]> = collect(SAME_FOOD);

/** Other single words for a single word. */
export function synonymsOf(word: string): readonly string[] {
  return otherPhrases(word).filter((phrase) => !phrase.includes(' '));
}

/** Other words for a phrase, folded, separated by single spaces. */
export function otherPhrases(phrase: string): readonly string[] {
  return OTHERS.get(phrase) ?? [];
}

function collect(groups: string): Map<string, string[]> {
  const others = new Map<string, string[]>();
  for (const line of groups.trim().split('\n')) {
    const phrases = line.split(',').map((phrase) => phrase.trim());
    for (const phrase of phrases) {
      const known = others.get(phrase) ?? [];
      others.set(phrase, [
        ...known,
        ...phrases.filter((other) => other !== phrase && !known.includes(other)),
      ]);
    }
  }
  return others;
}
