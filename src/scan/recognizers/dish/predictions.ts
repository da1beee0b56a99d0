import { type DishCandidate, type DishProposal, dishProposal, MAX_RANKED } from '../../recognizer.ts';
import type { ClassifierLabel } from './classifier-folder.ts';
import type { ModelDescription } from './model-description.ts';

/** The probability of each label: the mean over the views of softmax(logits / temperature). */
export function probabilitiesOf(views: readonly ArrayLike<number>[], temperature: number): number[] {
  const each = views.map((logits) => softmax(Array.from(logits, (logit) => logit / temperature)));
  return each[0]!.map((_, index) => each.reduce((sum, view) => sum + view[index]!, 0) / each.length);
}

/**
 * Calibrates with the temperature of the likeliest label's data set, because calibration depends on the photos of each
 * data set.
 */
export function calibratedOf(
  views: readonly ArrayLike<number>[],
  labels: readonly Pick<ClassifierLabel, 'set'>[],
  { temperature, temperatures = {} }: Pick<ModelDescription, 'temperature' | 'temperatures'>,
): number[] {
  const probabilities = probabilitiesOf(views, temperature);
  const likeliest = probabilities.indexOf(Math.max(...probabilities));
  const own = temperatures[labels[likeliest]!.set];
  return own === undefined ? probabilities : probabilitiesOf(views, own);
}

/**
 * The result of the probabilities: nothing if the photo shows no food, otherwise the likeliest food, and whether it
 * is sure. Labels of one food (a banana in a shop and on a plate) are one candidate. Confidences are conditional on
 * food.
 */
export function readDish(
  probabilities: readonly number[],
  labels: readonly Omit<ClassifierLabel, 'set'>[],
  { notFood, unsure }: Pick<ModelDescription, 'notFood' | 'unsure'>,
): { readonly food: number; readonly proposal?: DishProposal } {
  const food = notFood === null ? 1 : 1 - probabilities[notFood.index]!;
  if (notFood !== null && 1 - food >= notFood.atLeast) return { food };
  const candidates = candidatesOf(probabilities, labels, food);
  return { food, ...(candidates.length > 0 && { proposal: dishProposal(candidates, unsure?.below) }) };
}

export function candidatesOf(
  probabilities: readonly number[],
  labels: readonly Omit<ClassifierLabel, 'set'>[],
  food: number,
): DishCandidate[] {
  const byFood = new Map<string, DishCandidate>();
  const likeliestFirst = labels
    .map((label, index) => ({ ...label, confidence: food > 0 ? probabilities[index]! / food : 0 }))
    .sort((a, b) => b.confidence - a.confidence);
  for (const { label, food: tied, confidence } of likeliestFirst) {
    if (tied === undefined) continue;
    const known = byFood.get(tied.foodId) ?? { label, ...tied, confidence: 0 };
    // Rounding must not exceed 1.
    byFood.set(tied.foodId, { ...known, confidence: Math.min(1, known.confidence + confidence) });
  }
  return [...byFood.values()].sort((a, b) => b.confidence - a.confidence).slice(0, MAX_RANKED);
}

function softmax(values: readonly number[]): number[] {
  const highest = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
