/**
 * How often people look for a food, 0 to 255: a level assigned by hand (1 rare … 5 everyday) has the largest
 * influence, and the frequency in the NHANES diaries of 2007-10 orders foods of one level. Diaries alone
 * would undervalue foods that are eaten outside the USA or became common later.
 */
const POINTS_PER_LEVEL = 40;
const MAX_DIARY_POINTS = 55;
/** Minimum diary entries; fewer are hardly informative. */
const FEW_LINES = 8;
const POINTS_PER_DOUBLING = 6;

export function popularityOf(level: number, diaryLines: number): number {
  const diaryPoints = POINTS_PER_DOUBLING * Math.log2(1 + diaryLines / FEW_LINES);
  return POINTS_PER_LEVEL * level + Math.min(MAX_DIARY_POINTS, Math.round(diaryPoints));
}
