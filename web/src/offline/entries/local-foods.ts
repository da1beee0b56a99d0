import type { Food, Recipe } from 'larder-client';
import { changeCount, local } from '../device.ts';
import type { LocalCopy } from '../local-copy.ts';
import type { KnownFoods } from './previews.ts';
import { asFood } from './recipe-food.ts';

/** What this device knows of the food of an entry. */
export async function knownFoods(input: object, food?: Food): Promise<KnownFoods> {
  const { foodId, recipeId, date } = input as { foodId?: string; recipeId?: string; date?: string };
  const { copy } = local();
  try {
    const [own, recipe, recents = [], entries] = await Promise.all([
      foodId === undefined ? undefined : copy.findShown('food', foodId),
      recipeId === undefined ? undefined : copy.findShown('recipe', recipeId),
      copy.note('recents'),
      date === undefined ? [] : copy.entriesOf(date),
    ]);
    return { food: food ?? own ?? (recipe && asFood(recipe)), eaten: [...recents, ...entries] };
  } catch {
    return { food, eaten: [] };
  }
}

/** The recipes as they were read last: each letter that is typed asks for them. */
let read:
  | { readonly copy: LocalCopy; readonly at: number; readonly recipes: Promise<readonly Recipe[]> }
  | undefined;

/** Own recipes whose names have all of these words, as foods. */
export async function findOwnRecipes(words: readonly string[], fold: Fold): Promise<readonly Food[]> {
  const { copy } = local();
  const at = changeCount.peek();
  if (read?.copy !== copy || read.at !== at) read = { copy, at, recipes: copy.all('recipe').catch(() => []) };
  const own = await read.recipes;
  return own.filter(({ name }) => hasWords(name, words, fold)).map(asFood);
}

/** Own foods whose names have all of these words, for when the service cannot be asked. */
export async function findOwnFoods(words: readonly string[], fold: Fold): Promise<readonly Food[]> {
  const own = await local()
    .copy.all('food')
    .catch(() => []);
  return own.filter(({ name, brand = '', aliases = [] }) =>
    hasWords([name, brand, ...aliases].join(' '), words, fold),
  );
}

type Fold = (text: string) => string;

function hasWords(text: string, words: readonly string[], fold: Fold): boolean {
  const folded = ` ${fold(text)}`;
  return words.every((word) => folded.includes(` ${word}`));
}
