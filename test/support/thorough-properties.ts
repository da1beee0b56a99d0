import { inject } from 'vitest';
import { runs } from './runs.ts';

/** What fast-check does unless a property says otherwise. */
const USUAL_RUNS = 100;
/** Of one property, however many runs are wanted: within the time of a test. */
const MAX_MS = 150_000;

const { factor, seed } = inject('propertyRuns');
// Only where it is wanted: most files have no properties, and loading fast-check takes a moment.
if (factor !== 1 || seed !== undefined) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({
    numRuns: runs(USUAL_RUNS),
    interruptAfterTimeLimit: MAX_MS,
    ...(seed !== undefined && { seed }),
  });
}
