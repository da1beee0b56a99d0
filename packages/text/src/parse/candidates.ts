import type { Food, Serving } from '@larder/core/food.ts';
import { type FoodCandidate, mayNameBrand, scoreOfFound, withOddProductsLower } from './confidence.ts';
import type { FoodNames } from './food-names.ts';
import { type Described, type FoodAmount, TYPICAL_DENSITY, weighAmount } from './grams/to-grams.ts';
import type { MealItem } from './meal-item.ts';
import { nameWords } from './names/name-words.ts';
import type { MealWords } from './phrases/meal-words.ts';
import type { ReadingBudget } from './reading-budget.ts';
import type { FoodsToRead } from './remembering-finder.ts';
import type { TextContext } from './structure/context.ts';

/** Maximum distance from the best name. Within it, the servings decide which food matches the text better. */
const NEAR = 0.3;
const FIT = 0.25;
const MAX_POPULARITY = 255;
const FAVOURITE = 0.1;
/** Bonus of the most popular food: of foods with equally good names, the popular one is likelier. */
const POPULARITY = 0.1;
/** Minimum score of a name that matches the text. */
const MIN_SCORE = 0.35;
/** A generic food with this score makes searching products unnecessary. */
const GOOD_SCORE = 0.9;
/** Score of a custom food of exactly these words. */
const CUSTOM_FOOD_SCORE = 1.5;
const SEARCHED = 5;
const MAX_SEARCH_LENGTH = 100;
const MACRONUTRIENTS = ['energy', 'protein', 'carbohydrates', 'fat'] as const;
const SAME_SHARE = 0.01;
/** Minimum gain in fit for taking servings of another table. */
const BETTER_FIT = 0.3;

/** The sources of candidates for one text. */
export interface Sources {
  readonly finder: FoodsToRead;
  readonly names: FoodNames;
  readonly eaten: ReadonlySet<string>;
  readonly text: string;
  readonly budget: ReadingBudget;
  readonly words: MealWords;
  /** Whether foods are stated as they are bought or as they are eaten. */
  readonly context: TextContext;
}

/** Whether products are searched because no generic food has a good name. */
export function asksForProducts({ hits, words }: MealItem, { budget, names }: Sources): boolean {
  return (
    budget.searches > 0 &&
    budget.work.left > 0 &&
    ((hits[0]?.score ?? 0) < GOOD_SCORE || mayNameBrand(words, names))
  );
}

/** The foods that an item may mean, best first. */
export function candidatesOf(item: MealItem, sources: Sources): FoodCandidate[] {
  const { finder, names, eaten, text, budget } = sources;
  const described = {
    amount: item.amount,
    words: item.described,
    name: new Set(item.words.filter(({ weight }) => weight > 0).map(({ stem }) => stem)),
  };
  const found = new Map<string, FoodCandidate>();
  const add = (food: Food, score: number) => {
    if (score < MIN_SCORE || found.has(food.id)) return;
    if (item.parts.has(food.name)) return;
    const bonus = (eaten.has(food.id) ? FAVOURITE : 0) + (POPULARITY * food.popularity) / MAX_POPULARITY;
    found.set(food.id, { food, score: score + bonus, amount: weighAmount(food, described) });
  };
  const custom = finder.findCustomFood?.(text.slice(item.start, item.end));
  if (custom !== undefined) add(custom, CUSTOM_FOOD_SCORE);
  const best = item.hits[0]?.score ?? 0;
  for (const { document, score } of item.hits) {
    if (score > best - NEAR) add(names.foodAt(document), score);
  }
  if (asksForProducts(item, sources)) {
    budget.searches--;
    const query = text.slice(item.start, Math.min(item.end, item.start + MAX_SEARCH_LENGTH));
    for (const food of finder.search(query, SEARCHED, { work: budget.work })) {
      add(food, scoreOfFound(item.words, food, names));
    }
  }
  const rank = ({ score, amount }: FoodCandidate) => score + FIT * (amount?.fit ?? -1);
  const candidates = withOddProductsLower([...found.values()], item.words);
  return candidates
    .map((each) => withMoreServings(each, candidates, described))
    .map((each, _, all) => withOtherServings(each, all))
    .sort((a, b) => rank(b) - rank(a));
}

/** Weighs the amount by the food's own servings and those of the same food in a table that states more of them. */
function withMoreServings(
  candidate: FoodCandidate,
  all: readonly FoodCandidate[],
  described: Described,
): FoodCandidate {
  const { food } = candidate;
  const [first, ...others] = food.servings;
  const more: Serving[] = [];
  for (const { food: other } of all) {
    if (other.servings.length > food.servings.length && isSameFood(food, other)) more.push(...other.servings);
  }
  if (more.length === 0) return candidate;
  return {
    ...candidate,
    amount: weighAmount({ ...food, servings: [first, ...others, ...more] }, described),
  };
}

/**
 * Weighs the amount by the servings of the same food in another table, or the density of a similar one, if its own
 * servings do not match the text.
 */
function withOtherServings(candidate: FoodCandidate, all: readonly FoodCandidate[]): FoodCandidate {
  const { food } = candidate;
  let { amount } = candidate;
  for (const { food: other, amount: offered } of all) {
    if (other === food || offered === undefined || offered.fit < (amount?.fit ?? -1)) continue;
    const isBetter = offered.fit >= (amount?.fit ?? -1) + BETTER_FIT;
    if (isSameFood(food, other)) {
      const isRicher = other.servings.length > food.servings.length && hasSameWords(food, other);
      if (isBetter || isRicher) {
        amount = { ...offered, source: isServing(offered) ? sourceOf(offered, other) : offered.source };
      }
    } else if (isBetter && offered.fit >= 1 && amount !== undefined && tellsNothing(food, amount)) {
      amount = { ...offered, source: sourceOf(offered, other), isAssumed: true };
    }
  }
  return amount === candidate.amount ? candidate : { ...candidate, amount };
}

function sourceOf({ source }: FoodAmount, { name }: Food): string {
  return `${source} of ${name}`;
}

/** Whether the amount rests on an assumed density, or on a serving such as "100 g". */
function tellsNothing({ servings }: Food, amount: FoodAmount): boolean {
  return (
    amount.source === TYPICAL_DENSITY || (amount.fit === 0 && servings.length === 1 && isServing(amount))
  );
}

function isServing({ source }: FoodAmount): boolean {
  return source.startsWith('serving ');
}

function hasSameWords(one: Food, other: Food): boolean {
  const [words, others] = [one, other].map(({ name }) => new Set(nameWords(name).map(({ stem }) => stem)));
  return words!.size === others!.size && [...words!].every((word) => others!.has(word));
}

/** Whether two foods of different tables are the same: they have equal nutrients under different names. */
function isSameFood(one: Food, other: Food): boolean {
  if (one.basis !== other.basis) return false;
  return MACRONUTRIENTS.every(
    (key) => Math.abs(one.per100[key] - other.per100[key]) <= SAME_SHARE * one.per100[key],
  );
}
