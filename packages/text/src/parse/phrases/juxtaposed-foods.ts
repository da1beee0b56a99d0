import type { MealWords } from './meal-words.ts';
import { isSaid, type Phrase, type PhraseWord } from './phrase.ts';

/** Minimum number of foods side by side; two words rather name one food: "rice pudding". */
const MIN_FOODS = 3;
/** Maximum words of one of the foods, and of all of them. */
const MAX_FOOD_WORDS = 2;
const MAX_WORDS = 8;

/**
 * Splits words that name foods without a sign between them: "chicken rice broccoli". Each food has a name of its own, which `isName` tells;
 * none is a dish, which the words beside it would describe: "chicken bacon sandwich", "galette jambon fromage". Returns the phrase itself
 * if it names one food.
 */
export function juxtaposedFoods(
  phrase: Phrase,
  { mixed, dishes, composed, carriers }: MealWords,
  isName: (phrase: Phrase) => boolean,
): readonly Phrase[] {
  const words = phrase.words.filter(isSaid);
  if (words.length < MIN_FOODS || words.length > MAX_WORDS || phrase.isPart || phrase.belongs)
    return [phrase];
  const dishWords = [mixed, dishes, composed, carriers];
  if (words.some(({ stem }) => dishWords.some((stems) => stems.has(stem))) || isName(phrase)) return [phrase];
  const foods: Phrase[] = [];
  for (let at = 0; at < words.length; ) {
    const food = longestFood(words, at, phrase, isName);
    if (food === undefined) return [phrase];
    foods.push(food);
    at += food.words.length;
  }
  if (foods.length < MIN_FOODS) return [phrase];
  const { before, after } = phrase;
  return foods.map((food, at) => ({
    ...food,
    begins: at > 0 || phrase.begins,
    link: at > 0 ? ',' : phrase.link,
    ...(at === 0 && before !== undefined && { before }),
    ...(at === foods.length - 1 && after !== undefined && { after }),
  }));
}

function longestFood(
  words: readonly PhraseWord[],
  from: number,
  { isPart, belongs }: Phrase,
  isName: (phrase: Phrase) => boolean,
): Phrase | undefined {
  for (let length = Math.min(MAX_FOOD_WORDS, words.length - from); length > 0; length--) {
    const own = words.slice(from, from + length);
    const [firstToken, endToken] = [own[0]!.token, own.at(-1)!.token + 1];
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
