import { inject } from 'vitest';

/** Number of property runs: `LARDER_PROPERTY_RUNS` and `LARDER_PROPERTY_SEED` in CONTRIBUTING.md. */
export interface PropertyRuns {
  /** Factor on the default number of runs. */
  readonly factor: number;
  readonly seed?: number;
}

declare module 'vitest' {
  interface ProvidedContext {
    propertyRuns: PropertyRuns;
  }
}

/** The number of runs of a property with its own: `{ numRuns: runs(400) }`. */
export function runs(usual: number): number {
  return usual * inject('propertyRuns').factor;
}
