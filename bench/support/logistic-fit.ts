const ROUNDS = 50;
/** Keeps weights finite where a number decides alone. */
const RIDGE = 1e-3;

export interface Example {
  readonly values: readonly number[];
  readonly isTrue: boolean;
}

/** Logistic regression: a weight for each value, and the bias last. */
export function logisticFit(examples: readonly Example[]): number[] {
  const rows = examples.map(({ values }) => [...values, 1]);
  const size = rows[0]!.length;
  let weights = new Array<number>(size).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = new Array<number>(size).fill(0);
    const curve = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (_, j) => (i === j ? RIDGE * rows.length : 0)),
    );
    for (const [at, row] of rows.entries()) {
      const p = 1 / (1 + Math.exp(-row.reduce((sum, value, i) => sum + value * weights[i]!, 0)));
      const error = p - Number(examples[at]!.isTrue);
      for (let i = 0; i < size; i++) {
        slope[i]! += error * row[i]!;
        for (let j = 0; j < size; j++) curve[i]![j]! += p * (1 - p) * row[i]! * row[j]!;
      }
    }
    for (let i = 0; i < size; i++) slope[i]! += RIDGE * rows.length * weights[i]!;
    const step = solve(curve, slope);
    weights = weights.map((weight, i) => weight - step[i]!);
  }
  return weights;
}

/** Solves a system of linear equations by elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    let pivot = i;
    for (let j = i + 1; j < size; j++) if (Math.abs(rows[j]![i]!) > Math.abs(rows[pivot]![i]!)) pivot = j;
    [rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!];
    for (let j = 0; j < size; j++) {
      if (j === i) continue;
      const factor = rows[j]![i]! / rows[i]![i]!;
      for (let k = i; k <= size; k++) rows[j]![k]! -= factor * rows[i]![k]!;
    }
  }
  return rows.map((row, i) => row[size]! / row[i]!);
}
