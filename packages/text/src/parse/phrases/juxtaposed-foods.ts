import { isHyphen } from '../../phrases.ts';
import { ADDED_SCORE } from '../manner.ts';
import type { TextOfMeal } from '../meal-item.ts';
import { isNaming, type Phrase, type PhraseWord } from './phrase.ts';

/** Minimum number of adjacent foods; two words usually name one food, "rice pudding", but not with a size between: "burger large fries". */
const MIN_FOODS = 3;
const MIN_SIZED = 2;
/** Maximum words of one food, and of all foods. */
const MAX_FOOD_WORDS = 2;
const MAX_WORDS = 8;

/**
 * Splits words that name foods without a separator: "chicken rice broccoli". `scoreOf` is the score of a name, from which each
 * food needs `ADDED_SCORE`; no further one may be a dish, because the words beside it would describe it: "chicken bacon
 * sandwich", "galette jambon fromage". Returns the phrase itself if it names one food.
 */
export function juxtaposedFoods(
  phrase: Phrase,
  text: TextOfMeal,
  scoreOf: (phrase: Phrase) => number,
): readonly Phrase[] {
  const { tokens, language } = text;
  const isSize = ({ token }: PhraseWord) => !language.sizesFollow && language.sizes.has(tokens, token);
  const naming = phrase.words.filter(isNaming);
  const words = naming.filter((word) => !isSize(word));
  const [first] = words;
  const hasSizes = naming.some((word) => isSize(word) && word.token > (first?.token ?? 0));
  const least = hasSizes ? MIN_SIZED : MIN_FOODS;
  const { before, after, isPart, belongs } = phrase;
  if (!text.isList || before !== undefined || after !== undefined || isPart || belongs) return [phrase];
  if (words.length < least || words.length > MAX_WORDS) return [phrase];
  const { mixed, dishes, composed, carriers } = text.words;
  const dishWords = [mixed, dishes, composed, carriers];
  // Words after a dish describe it where heads come first.
  const hasDish = words
    .slice(language.sizesFollow ? 0 : 1)
    .some((word) => !isSized(word, text) && dishWords.some((stems) => stems.has(word.stem)));
  if (hasDish || scoreOf(phrase) >= ADDED_SCORE) return [phrase];
  const foods = bestDivision(words, phrase, text, scoreOf);
  if (foods.length < least) return [phrase];
  return foods.map((food, at) => (at > 0 ? food : { ...food, begins: phrase.begins, link: phrase.link }));
}

/** Whether a size is before a word. */
function isSized({ token }: PhraseWord, { tokens, language }: TextOfMeal): boolean {
  return language.sizes.has(tokens, token - 1);
}

/** The foods whose names have the best scores by word; none if a word belongs to no name. */
function bestDivision(
  words: readonly PhraseWord[],
  { isPart, belongs }: Phrase,
  text: TextOfMeal,
  scoreOf: (phrase: Phrase) => number,
): readonly Phrase[] {
  const { tokens, language } = text;
  const best: ({ readonly value: number; readonly foods: readonly Phrase[] } | undefined)[] = [
    { value: 0, foods: [] },
  ];
  for (let to = 1; to <= words.length; to++) {
    for (let from = Math.max(0, to - MAX_FOOD_WORDS); from < to; from++) {
      const before = best[from];
      const firstToken = words[from]!.token;
      const describes = language.descriptors.has(tokens, firstToken) || isHyphen(tokens[firstToken - 1]);
      if (before === undefined || describes) continue;
      const own = words.slice(from, to);
      // A size divides foods.
      if (own.slice(1).some((word) => isSized(word, text))) continue;
      const endToken = own.at(-1)!.token + 1;
      const kind = { begins: true, mayGoOn: false, link: ',', belongs, isPart };
      const food = { words: own, firstToken, endToken, ...kind };
      const score = scoreOf(food);
      const value = before.value + own.length * score;
      if (score >= ADDED_SCORE && value > (best[to]?.value ?? 0))
        best[to] = { value, foods: [...before.foods, food] };
    }
  }
  return best[words.length]?.foods ?? [];
}
