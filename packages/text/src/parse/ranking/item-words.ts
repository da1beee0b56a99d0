import { wordsOfAll } from '../../meal-words.ts';
import type { FoodNames } from '../food-names.ts';
import type { MealItem } from '../meal-item.ts';
import { nameWords } from '../names/name-words.ts';
import type { PhraseWord } from '../phrases/phrase.ts';
import { isWordOfPercent } from './percent.ts';

/** Maximum foods found without a percentage, of which some match it. */
export const FOUND_BY_PERCENT = 24;

const PARTS = wordsOfAll(({ partNouns }) => partNouns);
/** Factor for the weight of the noun of a part. */
const PART_FACTOR = 0.2;
const MIN_HEAD_WEIGHT = 0.5;

/** Makes the word before a part the head: "mint" of "mint leaves". */
/** Matches a word between a food and its ingredient, as in `nameWords`, or an elided one. */
const PARTICLE = /\s(?:d[eiuoa]s?|del(?:l[aoe])?|dei|al(?:l[ao])?|aux?|a|com?n?|en)\s|['’]/iu;

/** Makes the word before "de" or a similar word the head: "huile" of "huile d'olive". */
export function withLeadingHead(item: MealItem, text: string): MealItem {
  const said = text.slice(item.start, item.end);
  if (!PARTICLE.test(said)) return item;
  const stem = nameWords(said).find(({ leads }) => leads === true)?.stem;
  const at = item.words.findIndex((word) => word.stem === stem && word.weight >= MIN_HEAD_WEIGHT);
  if (at === -1) return item;
  return { ...item, words: item.words.map((word, index) => ({ ...word, isHead: index === at })) };
}

export function withFoodAsHead(item: MealItem): MealItem {
  return { ...item, words: foodAsHead(item.words) };
}

/** Looks up the words without a percentage, which is compared with the foods' nutrients. */
export function withoutPercent(item: MealItem, names: FoodNames): MealItem {
  const kept = item.words.filter(({ stem }) => !isWordOfPercent(stem));
  if (kept.length === 0) return withFoodAsHead(item);
  const hasHead = kept.some(({ isHead }) => isHead === true);
  const head = kept.findLastIndex(({ weight }) => weight >= MIN_HEAD_WEIGHT);
  const words = foodAsHead(
    hasHead ? kept : kept.map((word, at) => (at === head ? { ...word, isHead: true } : word)),
  );
  return { ...item, words, hits: names.find(words, FOUND_BY_PERCENT) };
}

function foodAsHead(words: readonly PhraseWord[]): readonly PhraseWord[] {
  const at = words.findIndex(({ isHead }) => isHead === true);
  if (at < 1 || !PARTS.has(words[at]!.stem)) return words;
  const food = words.slice(0, at).findLastIndex(({ weight }) => weight >= MIN_HEAD_WEIGHT);
  if (food === -1) return words;
  return words.map((word, index) =>
    index === at
      ? { ...word, isHead: false, weight: word.weight * PART_FACTOR }
      : index === food
        ? { ...word, isHead: true }
        : word,
  );
}
