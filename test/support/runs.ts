import { inject } from 'vitest';

/** How thoroughly properties are tried: `LARDER_PROPERTY_RUNS` and `LARDER_PROPERTY_SEED` in CONTRIBUTING.md. */
export interface PropertyRuns {
  /** Factor on the usual number of runs. */
  readonly factor: number;
  readonly seed?: number;
}

declare module 'vitest' {
  interface ProvidedContext {
    propertyRuns: PropertyRuns;
  }
}

/** The number of runs of a property that states its own: `{ numRuns: runs(400) }`. */
export function runs(usual: number): number {
  return usual * inject('propertyRuns').factor;
}
