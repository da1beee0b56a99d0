import type { Food } from '@larder/core/food.ts';
import type { Amount } from '../amount.ts';
import { CUSTOM_FOOD_VALUE, type Sources } from './candidates.ts';
import { isStatedBy } from './grams/to-grams.ts';
import { mostConfidence } from './grams/usual-portions.ts';
import type { NamedItem } from './named-item.ts';
import {
  type ConfidenceFeatures,
  confidenceFeatures,
  confidenceOf,
  type FoodCandidate,
  isProbable,
} from './ranking/confidence.ts';
import type { TextContext } from './structure/context.ts';

/** A food that a text names, with its amount. */
export interface ParsedItem {
  /** The words that name the food. For a recipe line, without words about the preparation between them. */
  readonly text: string;
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** The amount as written; undefined if the text has none. */
  readonly amount?: Amount;
  readonly food?: Food;
  /** Undefined without a food, or if the weight of the amount is unknown. */
  readonly basisAmount?: number;
  /** The source of the weight; see `FoodAmount`. */
  readonly source?: string;
  /** Other candidate foods, with the same amount of each, best first. */
  readonly alternatives: readonly WeighedFood[];
  /** All compared foods, best first; `food` is the first one, unless none matches well enough. */
  readonly candidates: readonly FoodCandidate[];
  /** Facts from which the confidence is computed. */
  readonly evidence?: ConfidenceFeatures;
  /** Probability that food and amount are right, from 0 to 1. */
  readonly confidence: number;
  /** Assumptions about facts that the text does not state. */
  readonly assumed: readonly string[];
  /** Id of the food as it is eaten, one of the alternatives, where its raw or dry form was assumed. */
  readonly asEaten?: string;
}

export interface WeighedFood {
  readonly food: Food;
  /** Undefined if the weight of the amount is unknown. */
  readonly basisAmount?: number | undefined;
}

/** Maximum alternatives of an item in a result. */
export const MAX_ALTERNATIVES = 4;

/** Whether a food is logged or only proposed. */
function isChosen(candidate: FoodCandidate | undefined, evidence: ConfidenceFeatures | undefined): boolean {
  if (candidate === undefined || evidence === undefined) return false;
  return candidate.value >= CUSTOM_FOOD_VALUE || isProbable(evidence);
}

/** From this gap on a food is not of the stated percentage, and the confidence of it at most. */
const OTHER_PERCENTAGE = 1.5;
const OF_OTHER_PERCENTAGE = 0.6;

/** The highest confidence that the amount and the percentage of a candidate allow. */
function mostOf({ food, amount, features }: FoodCandidate, context: TextContext): number {
  if ((features.percentGap ?? 0) >= OTHER_PERCENTAGE) return OF_OTHER_PERCENTAGE;
  if (amount === undefined) return 1;
  const { basisAmount, source } = amount;
  return mostConfidence(food, { basisAmount, isStated: isStatedBy(source), isMeal: context === 'meal' });
}

/** The item of a name: its best food, if one is probable enough, and the others. */
export function toParsedItem(
  item: NamedItem,
  candidates: readonly FoodCandidate[],
  sources: Sources,
): ParsedItem {
  const [first] = candidates;
  const evidence = first && confidenceFeatures(candidates, item, sources);
  const confidence =
    evidence === undefined ? 0 : Math.min(mostOf(first!, sources.context), confidenceOf(evidence));
  const best = isChosen(first, evidence) ? first : undefined;
  const { start, end } = item;
  const amount = best?.amount?.said ?? item.amount;
  const common = {
    text: item.name ?? sources.text.slice(start, end),
    start,
    end,
    ...(amount !== undefined && { amount }),
    alternatives: candidates
      .slice(best === undefined ? 0 : 1)
      .slice(0, MAX_ALTERNATIVES)
      .map(({ food, amount: weighed }) => ({ food, basisAmount: weighed?.basisAmount })),
    candidates,
    confidence: best === undefined ? 0 : confidence,
    ...(evidence !== undefined && { evidence }),
  };
  if (best === undefined) return { ...common, assumed: [] };
  return {
    ...common,
    food: best.food,
    ...(best.assumedForm !== undefined && { asEaten: best.assumedForm.asEaten }),
    assumed: [
      ...(best.assumedForm === undefined ? [] : [best.assumedForm.form]),
      ...(best.amount?.isAssumed === true ? [best.amount.source] : []),
      ...(item.included ?? []).map((part) => `"${sources.text.slice(part.start, part.end)}" is part of it`),
    ],
    ...(best.amount !== undefined && { basisAmount: best.amount.basisAmount, source: best.amount.source }),
  };
}
