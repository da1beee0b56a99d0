import type { RawFood } from './raw-food.ts';

/** 65,535 scans and more are the most that is told apart. */
const STEPS_PER_DOUBLING = 16;
const MAX_POPULARITY = 255;

/**
 * What a food as such starts with, since no source counts look-ups of it: as much as a product with 1,023 scans.
 * Who types "banana" means the fruit and not a packaged product that few have ever scanned; only the products that
 * thousands scanned stand above it.
 */
const GENERIC_POPULARITY = 160;

/**
 * How much a food is looked up, on a scale of 0 (nothing known) to 255: each doubling of a source's own count is 16
 * more. Counts of one source compare well with each other and passably with those of another.
 */
export function popularityOf({ scans = 0, isGeneric = false }: Pick<RawFood, 'scans' | 'isGeneric'>): number {
  const counted = scans > 0 ? Math.round(STEPS_PER_DOUBLING * Math.log2(1 + scans)) : 0;
  return Math.min(MAX_POPULARITY, Math.max(counted, isGeneric ? GENERIC_POPULARITY : 0));
}
