import type { Basis, Food, Serving } from './food.ts';

const MEASURES: ReadonlySet<string> = new Set(['g', 'ml', 'oz', 'fl_oz']);

/**
 * The same servings, led by one in g or ml where the first is a household measure. Clients only show the first serving,
 * and of "1 medium" a user should also see that it weighs 118 g.
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
