import type { Macro } from '../parts/macro-energy.ts';

/** What the energy that a person needs is computed from; named as in the settings of the API. */
export interface Body {
  readonly sex: 'female' | 'male';
  readonly birthYear: number;
  readonly heightCm: number;
  readonly activity: Activity;
}

/** By how much the day's need exceeds the need at rest, from sitting to hard bodily work. */
export const ACTIVITIES = { low: 1.2, light: 1.375, moderate: 1.55, high: 1.725, very_high: 1.9 } as const;
export type Activity = keyof typeof ACTIVITIES;

/** What is eaten of the day's need: to weigh less, the same or more. */
export const AIMS = { less: 0.85, same: 1, more: 1.1 } as const;
export type Aim = keyof typeof AIMS;

/** Shares of the energy that are proposed, in percent; within the ranges of the Dietary Reference Intakes (2005) for adults. */
export const PROPOSED_PERCENT: Readonly<Record<Macro, number>> = { protein: 20, carbs: 50, fat: 30 };

const CONSTANTS = { female: -161, male: 5 } as const;
/** Proposals are no more exact than this. */
const STEP_KCAL = 10;

/**
 * kcal that a body needs at rest: Mifflin, St Jeor et al., "A new predictive equation for resting energy expenditure in healthy
 * individuals", Am J Clin Nutr 51 (1990), 241–247. Measured with adults from 19 to 78.
 */
export function restingEnergy(
  { sex, heightCm }: Pick<Body, 'sex' | 'heightCm'>,
  weightKg: number,
  age: number,
): number {
  return 10 * weightKg + 6.25 * heightCm - 5 * age + CONSTANTS[sex];
}

export interface Proposal {
  readonly restingKcal: number;
  readonly needKcal: number;
  /** What is proposed as a goal, to ten kcal. */
  readonly goalKcal: number;
}

export function proposalOf(body: Body, weightKg: number, aim: Aim, year: number): Proposal {
  const restingKcal = restingEnergy(body, weightKg, year - body.birthYear);
  const needKcal = restingKcal * ACTIVITIES[body.activity];
  const goalKcal = Math.round((needKcal * AIMS[aim]) / STEP_KCAL) * STEP_KCAL;
  return { restingKcal, needKcal, goalKcal };
}
