/** 65,535 scans and more are the most that is told apart. */
const STEPS_PER_DOUBLING = 16;
const MAX_POPULARITY = 255;

/**
 * A source's own count of look-ups on a scale of 0 (none known) to 255: each doubling of the count is 16 more.
 * Counts of one source compare well with each other and passably with those of another.
 */
export function popularityOf(scans: number | undefined): number {
  if (scans === undefined || !(scans > 0)) return 0;
  return Math.min(MAX_POPULARITY, Math.round(STEPS_PER_DOUBLING * Math.log2(1 + scans)));
}
