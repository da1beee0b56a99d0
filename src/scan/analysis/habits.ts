import type { Food } from '@larder/core/food.ts';
import type { DishCandidate } from '../recognizer.ts';
import type { PhotoMemory } from './photo-memory.ts';

/** A food that the owner of a scan, or people who share their diary with them, ate. */
export interface EatenBefore {
  /** How much its entries count, from 0 to 1. */
  readonly strength: number;
  /** Entries of the owner among those that were read, and the date of the last; absent if only others ate it. */
  readonly own?: {
    readonly times: number;
    readonly last: string;
    /** The usual amount in g (ml of drinks by volume); undefined if no amount is known. */
    readonly usualAmount: (food: Food) => number | undefined;
  };
}

/** What is known of a household's meals before a photo is analysed. */
export interface Habits {
  readonly foods: ReadonlyMap<string, EatenBefore>;
  /** The share of photos that show a food which was eaten before, between 0 and 1. */
  readonly repeats: number;
  /** The photos on which they confirmed foods; absent where none are kept. */
  readonly memory?: PhotoMemory;
}

/** Photos that count beside the known ones of a household, so that the first few do not decide. An assumption. */
const ASSUMED_PHOTOS = { repeated: 6, all: 10 };

/** The share of photos that repeat a food, by those that are known. */
export function repeatShare(repeated: number, photos: number): number {
  return (repeated + ASSUMED_PHOTOS.repeated) / (photos + ASSUMED_PHOTOS.all);
}

/**
 * The rule that favours foods which were eaten before: their probability is multiplied by `factor * repeats / (1 - repeats)`, never by less
 * than 1, to the power of their strength. `npm run bench -- household` fits the factor and measures the rule.
 */
export interface HabitRule {
  readonly factor: number;
  /** Foods less likely than this stay as they are. */
  readonly least: number;
}

export const HABIT_RULE: HabitRule = { factor: 3, least: 0.01 };

/**
 * Ranks the candidates of a photo anew, best first, for a household that ate those which have a strength. Confidences stay shares of the
 * whole, to which candidates that are not listed belong too.
 */
export function rankByHabit<Candidate extends Pick<DishCandidate, 'confidence'>>(
  candidates: readonly Candidate[],
  strengthOf: (candidate: Candidate) => number | undefined,
  repeats: number,
  { factor, least }: HabitRule = HABIT_RULE,
): readonly Candidate[] {
  const gain = Math.max(1, (factor * repeats) / (1 - repeats));
  const weights = candidates.map((candidate) =>
    candidate.confidence < least
      ? candidate.confidence
      : candidate.confidence * gain ** (strengthOf(candidate) ?? 0),
  );
  const listed = candidates.reduce((sum, { confidence }) => sum + confidence, 0);
  const whole = weights.reduce((sum, weight) => sum + weight, Math.max(0, 1 - listed));
  return candidates
    .map((candidate, at) => ({ ...candidate, confidence: weights[at]! / whole }))
    .sort((a, b) => b.confidence - a.confidence);
}
