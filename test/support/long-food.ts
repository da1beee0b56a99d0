import {
  type FoodDraft,
  MAX_ALIASES,
  MAX_BRAND_LENGTH,
  MAX_NAME_LENGTH,
} from '../../src/foods/custom/food-draft.ts';

/** Letters of a word: longer words would be fewer, shorter ones cheaper. */
const WORD_LENGTH = 8;
const LETTERS = 26;
const WORDS = LETTERS ** WORD_LENGTH;
/** Coprime to the number of words, so that none repeats. */
const STEP = 7_919_777;

/** The food with this number: of maximum length, with words of no other food. */
export function longFood(number: number): FoodDraft {
  let next = number * 1_000;
  const text = (length: number) => {
    const words = Math.floor((length + 1) / (WORD_LENGTH + 1));
    return Array.from({ length: words }, () => word(next++)).join(' ');
  };
  return {
    name: text(MAX_NAME_LENGTH),
    brand: text(MAX_BRAND_LENGTH),
    aliases: Array.from({ length: MAX_ALIASES }, () => text(MAX_NAME_LENGTH)),
    servingSize: { value: 100, unit: 'g' },
    macros: { energy: 100, protein: 5, fat: 5, carbohydrates: 10 },
  };
}

/** The word with this number, spread over the alphabet like real words. */
export function word(number: number): string {
  let rest = (number * STEP) % WORDS;
  let text = '';
  for (let at = 0; at < WORD_LENGTH; at++) {
    text = String.fromCharCode(97 + (rest % LETTERS)) + text;
    rest = Math.floor(rest / LETTERS);
  }
  return text;
}
