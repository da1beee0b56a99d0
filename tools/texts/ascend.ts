const STEPS = 250;
const RATE = 0.05;

/** Maximises a function with a penalty on leaving the start, by gradient ascent (Adam). */
export function ascend<Name extends string>(
  start: Readonly<Record<Name, number>>,
  regularisation: number,
  add: (weights: Float64Array, gradient: Float64Array) => void,
): Record<Name, number> {
  const names = Object.keys(start) as Name[];
  const from = Float64Array.from(names, (name) => start[name]);
  const weights = from.slice();
  const [mean, square] = [new Float64Array(names.length), new Float64Array(names.length)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight, at) => -regularisation * (weight - from[at]!));
    add(weights, gradient);
    for (const [at, slope] of gradient.entries()) {
      mean[at] = 0.9 * mean[at]! + 0.1 * slope;
      square[at] = 0.999 * square[at]! + 0.001 * slope * slope;
      const first = mean[at]! / (1 - 0.9 ** step);
      const second = square[at]! / (1 - 0.999 ** step);
      weights[at]! += (RATE * first) / (Math.sqrt(second) + 1e-8);
      // Features against a food keep a negative weight, features for it a positive one.
      if (weights[at]! * from[at]! < 0) weights[at] = 0;
    }
  }
  return Object.fromEntries(names.map((name, at) => [name, weights[at]!])) as Record<Name, number>;
}
