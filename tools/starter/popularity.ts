/**
 * How often a food is looked for, 0 to 255: a hand-given level (1 rare … 5 everyday) decides most, and how often
 * the food stands in the NHANES diaries of 2007-10 decides between foods of one level. Diaries alone would do
 * injustice to what is eaten outside the USA or became common later.
 */
const POINTS_PER_LEVEL = 40;
const MAX_DIARY_POINTS = 55;
/** Fewer diary entries than this give almost no information. */
const FEW_LINES = 8;
const POINTS_PER_DOUBLING = 6;

export function popularityOf(level: number, diaryLines: number): number {
  const diaryPoints = POINTS_PER_DOUBLING * Math.log2(1 + diaryLines / FEW_LINES);
  return POINTS_PER_LEVEL * level + Math.min(MAX_DIARY_POINTS, Math.round(diaryPoints));
}
