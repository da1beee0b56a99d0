import type { Food, Serving } from '@larder/core/food.ts';
import {
  type FoodCandidate,
  isProduct,
  mayNameBrand,
  saysBrand,
  scoreOfFound,
  withOddProductsLower,
} from './confidence.ts';
import type { FoodNames, NameMatch } from './food-names.ts';
import { type Described, type FoodAmount, TYPICAL_DENSITY, weighAmount } from './grams/to-grams.ts';
import type { MealItem } from './meal-item.ts';
import type { NameHit } from './name-look-ups.ts';
import { nameWords } from './names/name-words.ts';
import { foodTraits, readTraits, TRAITS } from './names/traits.ts';
import type { MealWords } from './phrases/meal-words.ts';
import { isMeasured } from './phrases/phrase.ts';
import { featuresOf, rankOf } from './ranking/features.ts';
import type { AskedState, TextContext } from './ranking/state.ts';
import type { ReadingBudget } from './reading-budget.ts';
import type { FoodsToRead } from './remembering-finder.ts';

/** Foods found by the head of a name alone: "egg" of "pasture-raised egg". */
const FOUND_BY_HEAD = 16;
/** Foods whose amounts are weighed, which takes longer than comparing names. */
const MAX_WEIGHED = 8;
/** Minimum score of a name that matches the text. */
const MIN_SCORE = 0.35;
/** A generic food with this score makes searching products unnecessary. */
const GOOD_SCORE = 0.9;
/** Score of a food that a user entered under exactly these words. */
const ENTERED_SCORE = 1.5;
const ENTERED_VALUE = 20;
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
  const asked = askedState(item, sources);
  const compared = new Map<string, Omit<FoodCandidate, 'amount' | 'value'>>();
  const add = (food: Food, score: number, match: NameMatch | undefined, traits: number) => {
    if (match === undefined || compared.has(food.id) || item.parts.has(food.name)) return;
    const isUnnamedProduct = isProduct(food) && !saysBrand(item.words, food);
    const features = featuresOf(
      { food, match, traits, isProduct: isUnnamedProduct, isFavourite: eaten.has(food.id) },
      asked,
      names,
    );
    compared.set(food.id, { food, score, features });
  };
  for (const hit of hitsOf(item, names)) {
    const words = hit.words ?? item.words;
    const { document } = hit;
    add(names.foodAt(document), hit.score, names.matchOf(words, document), names.traitsOf(document));
  }
  if (asksForProducts(item, sources)) {
    budget.searches--;
    const query = text.slice(item.start, Math.min(item.end, item.start + MAX_SEARCH_LENGTH));
    for (const food of finder.search(query, SEARCHED, { work: budget.work })) {
      const score = scoreOfFound(item.words, food, names);
      if (score >= MIN_SCORE)
        add(food, score, names.matchOf(item.words, food), foodTraits(food.name, food.per100.energy));
    }
  }
  const ranked = [...compared.values()]
    .map((each) => ({ ...each, value: rankOf(each.features) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_WEIGHED)
    .map((each) => ({ ...each, amount: weighAmount(each.food, described) }));
  const candidates = withOddProductsLower(ranked, item.words);
  const weighed = candidates
    .map((each) => withMoreServings(each, candidates, described))
    .map((each, _, all) => withOtherServings(each, all))
    .map((each) => withAmountFit(each))
    .sort((a, b) => b.value - a.value);
  const entered = finder.findEntered?.(text.slice(item.start, item.end));
  if (entered === undefined) return weighed;
  const own = { food: entered, score: ENTERED_SCORE, features: {}, value: ENTERED_VALUE };
  return [{ ...own, amount: weighAmount(entered, described) }, ...weighed];
}

/** The foods that a look-up found, and those that the head of the name alone finds. */
function hitsOf({ words, hits }: MealItem, names: FoodNames): NameHit[] {
  const said = hits[0]?.words ?? words;
  const head = said.filter(({ isHead }) => isHead === true);
  const others = head.length === 0 || head.length === said.length ? [] : names.find(head, FOUND_BY_HEAD);
  return [...hits, ...others.map((hit) => ({ ...hit, ...(hits[0]?.words && { words: said }) }))];
}

function askedState({ amount, start, end }: MealItem, { text, context }: Sources): AskedState {
  const { bits } = readTraits(text.slice(start, end));
  const inCan = amount?.unit === 'can' || amount?.container === 'can';
  return {
    said: bits | (inCan ? TRAITS.canned : 0),
    context,
    isMeasured: amount !== undefined && isMeasured(amount),
  };
}

function withAmountFit(candidate: FoodCandidate): FoodCandidate {
  const features = { ...candidate.features, amountFit: candidate.amount?.fit ?? -1 };
  return { ...candidate, features, value: rankOf(features) };
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
