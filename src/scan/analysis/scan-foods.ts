import type { Barcode } from '@larder/core/codes/scanned-code.ts';
import type { Food } from '@larder/core/food.ts';
import { tokenise } from '@larder/core/words/tokenise.ts';
import { languageOfTag } from '@larder/text/language.ts';
import type { BarcodeMatch } from '@larder/text/parse/food-finder.ts';
import { MAX_LINE_LENGTH, MAX_LINES, readText } from '@larder/text/parse/read-text.ts';
import type { FoodViewer } from '../../foods/custom/food-owner.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import type { Habits } from './habits.ts';

/** The foods that one scan can refer to. Methods return undefined for unknown foods and never throw for them. */
export interface ScanFoods {
  /** Finds a food by the number of a package, at configured external services too. */
  findByBarcode(barcode: Barcode): Promise<BarcodeMatch | undefined>;
  findById(id: string): Promise<Food | undefined>;
  /** Foods that match the query, best first. */
  search(query: string, limit: number): Promise<readonly Food[]>;
  /** Reads names of foods, each as a line of its own. The result has an item for each line that one food is read from. */
  readNames(names: readonly string[], language: string | undefined): Promise<readonly NamedFood[]>;
  /** What the owner of the scan eats; absent where their diary may not be used. Called for photos of dishes alone. */
  readonly habits?: (() => Promise<Habits | undefined>) | undefined;
}

/** The food that a name means, by its place among the names. */
export interface NamedFood {
  readonly index: number;
  readonly food: Food;
  /** 0 to 1. */
  readonly confidence: number;
}

const MAX_WORDS = 12;
/** Number of search results that are compared with the name. */
const MAX_HITS = 10;
const MAX_OTHERS = 4;
/** Minimum similarity; below it a food is a different one that shares a word with the name. */
const LEAST_LIKENESS = 0.5;

export interface LikeFood {
  readonly food: Food;
  /** 0 to 1: the share of words that both names have in common. */
  readonly likeness: number;
}

/**
 * Finds the food with the most similar name among the search results, or undefined if none is similar enough. Among
 * equals it prefers a food without a brand, since a dish on a plate is rarely a branded product.
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

/** The similarity of the name or alias that matches best. */
function likenessOf(wanted: ReadonlySet<string>, { name, aliases }: Food): number {
  return Math.max(...[name, ...aliases].map((text) => overlap(wanted, wordsOf(text))));
}

/** Dice's coefficient: twice the number of shared words divided by the words of both. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(tokenise(text, MAX_WORDS));
}

export interface FoundFoodsOptions {
  readonly foods: FoodDirectory;
  /** The owner of the scan. */
  readonly viewer: FoodViewer;
  /** Finds a food that ships with Larder. Dish models refer to these, though a catalogue may lack them. */
  readonly shipped: (id: string) => Food | undefined;
  readonly habits?: ScanFoods['habits'];
}

/** Looks foods up as the API does, and finds shipped foods that the catalogue lacks. */
export function foundFoods({ foods, viewer, shipped, habits }: FoundFoodsOptions): ScanFoods {
  const search = (query: string, limit: number) => foods.search(viewer, query, limit);
  return {
    search,
    habits,
    readNames: (names, language) => readNames(foods, viewer, names, language),
    findByBarcode: (barcode) => foods.findByBarcode(viewer, barcode),
    /** Replaces a shipped food that the catalogue lacks by the catalogue's food of that name, if there is one. */
    async findById(id) {
      const found = await foods.findById(viewer, id);
      if (found !== undefined) return found;
      const meant = shipped(id);
      return meant && ((await findByName({ search }, meant.name))?.food ?? meant);
    },
  };
}

/** Confidence in a custom food of exactly this name; an assumption. */
const OWN_NAME = 0.95;

async function readNames(
  foods: FoodDirectory,
  viewer: FoodViewer,
  names: readonly string[],
  language: string | undefined,
): Promise<NamedFood[]> {
  const finder = await foods.of(viewer);
  const found: NamedFood[] = [];
  for (let from = 0; from < names.length; from += MAX_LINES) {
    const lines = names.slice(from, from + MAX_LINES).map((name) => name.slice(0, MAX_LINE_LENGTH));
    const { items } = await readText(lines, {
      finder,
      language: language === undefined ? undefined : languageOfTag(language),
      // A meal has foods as they are eaten.
      context: 'meal',
    });
    for (const [index, line] of lines.entries()) {
      const own = finder.findCustomFood?.(line);
      const [only, ...others] = items.filter((item) => item.line === index);
      const food = own ?? only?.food;
      // Two foods in one name are a dish that is not known.
      if (!food || (own === undefined && others.length > 0)) continue;
      found.push({ index: from + index, food, confidence: own ? OWN_NAME : only!.confidence });
    }
  }
  return found;
}
