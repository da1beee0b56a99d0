import WEIGHTS from './weights.json' with { type: 'json' };

export type LatticeFeature = keyof typeof WEIGHTS;
/** Features of a part of a derivation; zeros are left out. */
export type LatticeFeatures = Partial<Record<LatticeFeature, number>>;
export type LatticeWeights = Readonly<Record<LatticeFeature, number>>;

export { WEIGHTS as LATTICE_WEIGHTS };

/** The weighted sum of features. */
export function scoreOfFeatures(features: LatticeFeatures, weights: LatticeWeights): number {
  let sum = 0;
  for (const name in features) sum += weights[name as LatticeFeature] * features[name as LatticeFeature]!;
  return sum;
}
