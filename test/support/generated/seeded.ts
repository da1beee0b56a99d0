import { inject } from 'vitest';

/** Long enough for a million requests. */
export const NIGHTLY = { timeout: 4 * 60 * 60_000 };
/** The longest delay of a timer: such a run ends when all of it is done. */
const NEVER_MS = 2 ** 31 - 1;

/** Parameters of a property with its own number of runs, whose seed is printed. */
export function seeded(numRuns: number) {
  const seed = inject('propertyRuns').seed ?? Date.now() % 2 ** 31;
  process.stdout.write(`${numRuns} generated runs with LARDER_PROPERTY_SEED=${seed}\n`);
  return { seed, numRuns, interruptAfterTimeLimit: NEVER_MS, endOnFailure: true };
}
