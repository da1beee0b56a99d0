import { NUTRIENT, NUTRIENT_KEYS } from '@larder/core/nutrients.ts';
import type { Candidate, Column, Columns } from './columns.ts';

/** A column, and the nutrients that were taken from the other column. */
export interface CompletedColumn {
  readonly column: Column;
  readonly scaled: readonly RequiredNutrient[];
}

type RequiredNutrient = 'protein' | 'fat' | 'carbohydrates';

const REQUIRED = NUTRIENT_KEYS.filter(
  (key) => NUTRIENT[key].isRequired && key !== 'energy',
) as RequiredNutrient[];
/** Minimum nutrients above zero that must agree in both columns before one is computed from the other. */
const LEAST_ALIKE = 3;
/** Maximum difference between the columns of one label beside their rounding, as a share. */
const TOLERANCE = 0.03;
/** Tolerance for the rounding of a computed value, in g of 100 and as a share. */
const MOST_ROUNDING = { g: 0.3, share: 0.05 } as const;
/** A computed value is not a reading. */
const COST_SCALED = 0.5;
const HUNDRED = 100;

/**
 * The column per 100, with an unreadable required nutrient computed from the serving: only if all nutrients
 * in both columns agree, and the serving is large enough to determine the value.
 */
export function completed({ hundred, serving }: Columns, servingAmount: number | undefined): CompletedColumn {
  const missing = REQUIRED.filter((key) => !hundred.nutrients.has(key));
  if (missing.length === 0 || servingAmount === undefined) return { column: hundred, scaled: [] };
  const scale = HUNDRED / servingAmount;
  const pairs = [...hundred.nutrients].flatMap(([key, [own]]) => {
    const other = serving.nutrients.get(key)?.[0];
    return own === undefined || other === undefined || own.value === 0
      ? []
      : [{ own, other: scaled(other, scale) }];
  });
  if (pairs.length < LEAST_ALIKE || !pairs.every(({ own, other }) => isAlike(own, other)))
    return { column: hundred, scaled: [] };
  const nutrients = new Map(hundred.nutrients);
  for (const key of missing) {
    const found = serving.nutrients.get(key)?.[0];
    if (found === undefined) continue;
    const { value, cost, rounding } = scaled(found, scale);
    if (rounding > Math.max(MOST_ROUNDING.g, MOST_ROUNDING.share * value)) continue;
    nutrients.set(key, [{ value, cost: cost + COST_SCALED, rounding }]);
  }
  return { column: { ...hundred, nutrients }, scaled: missing.filter((key) => nutrients.has(key)) };
}

function scaled({ value, cost, rounding }: Candidate, scale: number): Candidate {
  return { value: value * scale, cost, rounding: rounding * scale };
}

function isAlike(own: Candidate, other: Candidate): boolean {
  return Math.abs(own.value - other.value) <= own.rounding + other.rounding + TOLERANCE * own.value;
}
