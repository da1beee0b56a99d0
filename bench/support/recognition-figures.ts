const BINS = 15;

/** A classifier's result for one photo. */
export interface Guess {
  /** In descending confidence. */
  readonly ranked: readonly string[];
  readonly wanted: string;
  readonly confidence: number;
}

/** Share of photos whose right answer is among the first `count`. */
export function topOf(guesses: readonly Guess[], count: number): number {
  return (
    guesses.filter(({ ranked, wanted }) => ranked.slice(0, count).includes(wanted)).length / guesses.length
  );
}

/** Expected calibration error: mean distance of confidence and accuracy over 15 equal bins, weighted by size. */
export function calibrationError(guesses: readonly Guess[]): number {
  const distance = new Float64Array(BINS);
  for (const { ranked, wanted, confidence } of guesses) {
    const bin = Math.min(BINS - 1, Math.floor(confidence * BINS));
    distance[bin]! += confidence - Number(ranked[0] === wanted);
  }
  return distance.reduce((sum, each) => sum + Math.abs(each), 0) / guesses.length;
}

/** Area under the ROC curve: the share of pairs in which the value of `high` exceeds that of `low`; ties count half. */
export function auroc(high: readonly number[], low: readonly number[]): number {
  let wins = 0;
  for (const one of high) for (const other of low) wins += one > other ? 1 : one === other ? 0.5 : 0;
  return wins / (high.length * low.length);
}
