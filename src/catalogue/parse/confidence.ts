import type { Food } from '../food/food.ts';
import type { FoodAmount } from './grams/to-grams.ts';

export interface Candidate {
  readonly food: Food;
  /** How well its name fits; about 1 for the same words. */
  readonly score: number;
  readonly amount: FoodAmount | undefined;
}

// Logistic regression on 3,199 meals in words with recorded carbohydrate (NutriBench v1, development part), fitted so that the
// product over a meal's items is the probability that its carbohydrate is within 7.5 g. `npm run bench -- parse` prints the
// calibration error.
const BASE = 5.006;
const OTHER_NAME = -4.526;
const UNWEIGHED = -0.759;
const DIFFERENT_FOODS = -0.416;
const MUCH = -0.5;
const NO_AMOUNT = -1.204;
const OTHER_SERVING = -2.33;

const FULL_SCORE = 1.05;
const COMPARED = 5;

/**
 * The probability that food and amount are right, from 0 to 1. It falls with a name that fits less, with an amount that is not weighed or
 * not said, and with how much the foods that may be meant differ in carbohydrate.
 */
export function confidenceOf(candidates: readonly Candidate[], isAmountSaid: boolean): number {
  const [best] = candidates;
  if (best?.amount === undefined) return 0;
  const carbohydrates = carbohydratesOf(best);
  const others = candidates
    .slice(0, COMPARED)
    .map((other) => Math.abs(carbohydratesOf(other) - carbohydrates));
  const difference = others.reduce((sum, each) => sum + each, 0) / others.length;
  const sum =
    BASE +
    OTHER_NAME * Math.max(0, FULL_SCORE - best.score) +
    (best.amount.source === 'weight' ? 0 : UNWEIGHED) +
    DIFFERENT_FOODS * Math.log1p(difference) +
    MUCH * Math.log1p(carbohydrates) +
    (isAmountSaid ? 0 : NO_AMOUNT) +
    OTHER_SERVING * (1 - Math.min(1, best.amount.fit));
  return 1 / (1 + Math.exp(-sum));
}

function carbohydratesOf({ food, amount }: Candidate): number {
  return ((amount?.basisAmount ?? 0) * food.per100.carbohydrates) / 100;
}
