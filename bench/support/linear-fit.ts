export interface LinearFit {
  readonly slope: number;
  /** Half the width of the 95 % confidence interval of the slope, as if errors were independent. */
  readonly slopeMargin: number;
  readonly mean: number;
}

/** Least squares of `y` over `x`. */
export function linearFit(points: readonly (readonly [x: number, y: number])[]): LinearFit {
  const count = points.length;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / count;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const spreadX = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spreadX;
  const residuals = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  const freedom = count - 2;
  return { slope, slopeMargin: studentT95(freedom) * Math.sqrt(residuals / freedom / spreadX), mean: meanY };
}

/** Two-sided, to a hundredth from 5 degrees of freedom on (Cornish and Fisher's expansion). */
function studentT95(freedom: number): number {
  const z = 1.959964;
  const [z3, z5] = [z ** 3, z ** 5];
  return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom ** 2);
}
