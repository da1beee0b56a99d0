import type { Food, Serving } from '@larder/core/food.ts';
import { TYPICAL_DENSITY } from '../grams/by-volume.ts';
import type { Described } from '../grams/described.ts';
import type { FoodAmount } from '../grams/food-amount.ts';
import { weighAmount } from '../grams/to-grams.ts';
import { wordsOfName } from '../names/name-words.ts';
import type { FoodCandidate } from './confidence.ts';

const MACRONUTRIENTS = ['energy', 'protein', 'carbohydrates', 'fat'] as const;
const SAME_SHARE = 0.01;
/** Minimum gain in fit for using servings of another table. */
const BETTER_FIT = 0.3;

/** Weighs the amount by the food's own servings and those of the same food in a table that states more of them. */
export function withMoreServings(
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
export function withOtherServings(candidate: FoodCandidate, all: readonly FoodCandidate[]): FoodCandidate {
  const { food } = candidate;
  if (food.isCounted) return candidate;
  let { amount } = candidate;
  for (const { food: other, amount: offered } of all) {
    if (other === food || other.isCounted || offered === undefined || offered.fit < (amount?.fit ?? -1))
      continue;
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

/** Whether the amount is based on an assumed density, or on a serving such as "100 g". */
function tellsNothing({ servings }: Food, amount: FoodAmount): boolean {
  return (
    amount.source === TYPICAL_DENSITY || (amount.fit === 0 && servings.length === 1 && isServing(amount))
  );
}

function isServing({ source }: FoodAmount): boolean {
  return source.startsWith('serving ');
}

function hasSameWords(one: Food, other: Food): boolean {
  const [words, others] = [one, other].map(({ name }) => new Set(wordsOfName(name).map(({ stem }) => stem)));
  return words!.size === others!.size && [...words!].every((word) => others!.has(word));
}

/** Whether two foods of different tables are the same: they have equal nutrients under different names. */
function isSameFood(one: Food, other: Food): boolean {
  if (one.basis !== other.basis || one.isCounted || other.isCounted) return false;
  return MACRONUTRIENTS.every(
    (key) => Math.abs(one.per100[key] - other.per100[key]) <= SAME_SHARE * one.per100[key],
  );
}
