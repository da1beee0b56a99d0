import { z } from 'zod';
import { ALWAYS, type Goals, toDecimalGoals } from '../../../diary/records/goals.ts';
import { nutrientSums, optionalAmounts, realDate } from './diary-fields-schema.ts';

/** Goals as they are answered. */
export const goalAmounts = { ...optionalAmounts, nutrients: nutrientSums.optional() };

/** Describes what `goalsJson` writes. */
export const goalsSchema = z.object({ from: realDate.optional(), ...goalAmounts }).meta({ id: 'Goals' });

export const EXAMPLE_GOALS = { from: '2026-01-01', calories: 2000, protein: 100 };

export function goalsJson(goals: Goals | undefined): string {
  if (goals === undefined) return '{}';
  return JSON.stringify({
    ...(goals.from !== ALWAYS && { from: goals.from }),
    ...toDecimalGoals(goals.amounts),
  });
}
