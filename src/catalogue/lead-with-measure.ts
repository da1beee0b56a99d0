import type { Basis, Food, Serving } from './food.ts';

const MEASURES: ReadonlySet<string> = new Set(['g', 'ml', 'oz', 'fl_oz']);

/**
 * The same servings with one in g or ml in front where the first is a household measure, so that whoever is shown
 * "1 medium" also sees that it weighs 118 g: clients are shown the first serving only.
 */
export function leadWithMeasure(servings: Food['servings'], basis: Basis): Food['servings'] {
  const [first] = servings;
  if (MEASURES.has(first.unit)) return servings;
  const measured: Serving = {
    value: first.basisAmount,
    unit: basis,
    basisAmount: first.basisAmount,
    label: first.label ?? `${first.value} ${first.unit}`,
  };
  return [measured, ...servings];
}
