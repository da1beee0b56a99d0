import type { RawFood } from './raw-food.ts';

/** 16 steps for each doubling reach 255 at 65,535 scans. */
const STEPS_PER_DOUBLING = 16;
const MAX_POPULARITY = 255;

/**
 * Popularity of a generic food, whose look-ups no source counts: that of a product with 1,023 scans. Whoever types
 * "banana" means the fruit and not a product that few have ever scanned; only products that thousands scanned rank above.
 */
const GENERIC_POPULARITY = 160;

/**
 * How much a food is looked up, from 0 (unknown) to 255 on a logarithmic scale: 16 more for each doubling of the source's
 * own count. Counts of one source compare well with each other, and passably with those of another.
 */
export function popularityOf({ scans = 0, isGeneric = false }: Pick<RawFood, 'scans' | 'isGeneric'>): number {
  const counted = scans > 0 ? Math.round(STEPS_PER_DOUBLING * Math.log2(1 + scans)) : 0;
  return Math.min(MAX_POPULARITY, Math.max(counted, isGeneric ? GENERIC_POPULARITY : 0));
}
