import { isHyphen } from '../../phrases.ts';
import type { TextOfMeal } from '../meal-item.ts';
import { isNaming, type Phrase, type PhraseWord } from './phrase.ts';

/** Minimum number of adjacent foods; two words usually name one food: "rice pudding". */
const MIN_FOODS = 3;
/** Maximum words of one food, and of all foods. */
const MAX_FOOD_WORDS = 2;
const MAX_WORDS = 8;

/**
 * Splits words that name foods without a separator: "chicken rice broccoli". `isName` checks that each food
 * has a name of its own; none may be a dish, because the words beside it would describe it: "chicken bacon
 * sandwich", "galette jambon fromage". Returns the phrase itself if it names one food.
 */
export function juxtaposedFoods(
  phrase: Phrase,
  text: TextOfMeal,
  isName: (phrase: Phrase) => boolean,
): readonly Phrase[] {
  const words = phrase.words.filter(isNaming);
  const { before, after, isPart, belongs } = phrase;
  if (!text.isList || before !== undefined || after !== undefined || isPart || belongs) return [phrase];
  if (words.length < MIN_FOODS || words.length > MAX_WORDS) return [phrase];
  const { mixed, dishes, composed, carriers } = text.words;
  const dishWords = [mixed, dishes, composed, carriers];
  if (words.some(({ stem }) => dishWords.some((stems) => stems.has(stem))) || isName(phrase)) return [phrase];
  const foods: Phrase[] = [];
  for (let at = 0; at < words.length; ) {
    const food = longestFood(words, at, { phrase, text, isName });
    if (food === undefined) return [phrase];
    foods.push(food);
    at += food.words.length;
  }
  if (foods.length < MIN_FOODS) return [phrase];
  return foods.map((food, at) => (at > 0 ? food : { ...food, begins: phrase.begins, link: phrase.link }));
}

interface ToSplit {
  readonly phrase: Phrase;
  readonly text: TextOfMeal;
  readonly isName: (phrase: Phrase) => boolean;
}

function longestFood(words: readonly PhraseWord[], from: number, split: ToSplit): Phrase | undefined {
  const { phrase, text, isName } = split;
  const { tokens, language } = text;
  const [{ token: firstToken }, { isPart, belongs }] = [words[from]!, phrase];
  if (language.descriptors.has(tokens, firstToken) || isHyphen(tokens[firstToken - 1])) return undefined;
  for (let length = Math.min(MAX_FOOD_WORDS, words.length - from); length > 0; length--) {
    const own = words.slice(from, from + length);
    const endToken = own.at(-1)!.token + 1;
    const food = {
      words: own,
      firstToken,
      endToken,
      begins: true,
      mayGoOn: false,
      link: ',',
      belongs,
      isPart,
    };
    if (isName(food)) return food;
  }
  return undefined;
}
