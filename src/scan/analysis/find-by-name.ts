import type { Food } from '../../catalogue/food/food.ts';
import { tokenise } from '../../catalogue/search/words/tokenise.ts';
import type { ScanFoods } from './scan-foods.ts';

const MAX_WORDS = 12;
/** How many search answers are compared. */
const MAX_HITS = 10;
const MAX_OTHERS = 4;
/** Below this likeness the food is something else that merely shares a word. */
const LEAST_LIKENESS = 0.5;

export interface LikeFood {
  readonly food: Food;
  /** 0 to 1: how much of both names is shared. */
  readonly likeness: number;
}

/**
 * The food that a name means: the most alike of what search finds, or undefined where none is alike enough. Among equals
 * the one without a brand, since what is named on a plate is no product.
 */
export async function findByName(
  foods: Pick<ScanFoods, 'search'>,
  name: string,
): Promise<(LikeFood & { readonly others: readonly LikeFood[] }) | undefined> {
  const wanted = wordsOf(name);
  const hits = await foods.search(name, MAX_HITS);
  const [best, ...others] = hits
    .map((food) => ({ food, likeness: likenessOf(wanted, food) }))
    .filter(({ likeness }) => likeness >= LEAST_LIKENESS)
    .sort(
      (a, b) =>
        b.likeness - a.likeness || Number(a.food.brand !== undefined) - Number(b.food.brand !== undefined),
    );
  return best && { ...best, others: others.slice(0, MAX_OTHERS) };
}

/** The likeness of the name or alias that fits best. */
function likenessOf(wanted: ReadonlySet<string>, { name, aliases }: Food): number {
  return Math.max(...[name, ...aliases].map((text) => overlap(wanted, wordsOf(text))));
}

/** Dice's coefficient: twice the shared words among all words of both. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(tokenise(text, MAX_WORDS));
}
