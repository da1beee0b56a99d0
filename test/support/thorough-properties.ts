import { inject } from 'vitest';
import { runs } from './runs.ts';

/** Default of fast-check. */
const USUAL_RUNS = 100;
/** Time limit of one property with any number of runs, within that of a test. */
const MAX_MS = 150_000;

const { factor, seed } = inject('propertyRuns');
// Loaded on demand: most files have no properties, and loading fast-check takes time.
if (factor !== 1 || seed !== undefined) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({
    numRuns: runs(USUAL_RUNS),
    interruptAfterTimeLimit: MAX_MS,
    ...(seed !== undefined && { seed }),
  });
}
