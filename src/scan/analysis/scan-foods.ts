import type { Food } from '@larder/core/food.ts';
import { tokenise } from '@larder/core/words/tokenise.ts';
import type { BarcodeMatch } from '@larder/text/parse/food-finder.ts';
import type { FoodViewer } from '../../foods/own/food-owner.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import type { MaybePromise } from '../../maybe-promise.ts';

/** The foods of one tenant, for grounding what recognizers propose. Undefined, never an error, for unknown foods. */
export interface ScanFoods {
  /** By the digits of a package, external services included where they are configured. */
  findByBarcode(digits: string): MaybePromise<BarcodeMatch | undefined>;
  findById(id: string): MaybePromise<Food | undefined>;
  /** Best first. */
  search(query: string, limit: number): MaybePromise<readonly Food[]>;
}

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

export interface FoundFoodsPorts {
  readonly foods: FoodDirectory;
  /** The owner of the scan. */
  readonly viewer: FoodViewer;
  /** Finds a food that ships with the project. Dish models answer with these, though a catalogue may lack them. */
  readonly shipped: (id: string) => Food | undefined;
}

/** Looks foods up as the API does, and finds foods that ship with the project also where the catalogue lacks them. */
export function foundFoods({ foods, viewer, shipped }: FoundFoodsPorts): ScanFoods {
  const search = (query: string, limit: number) => foods.search(viewer, query, limit);
  return {
    search,
    findByBarcode: (digits) => foods.findByBarcode(viewer, digits),
    /** For a shipped food that the catalogue lacks: the catalogue's food of the same name, else the shipped one. */
    async findById(id) {
      const found = await foods.findById(viewer, id);
      if (found !== undefined) return found;
      const meant = shipped(id);
      return meant && ((await findByName({ search }, meant.name))?.food ?? meant);
    },
  };
}
