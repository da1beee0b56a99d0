import type { Food } from '@larder/core/food.ts';
import type { Amount } from '../../find-amounts.ts';
import type { Language } from '../../language.ts';
import { UNITS, type UnitName } from '../../units.ts';

/** Facts that a text states about an amount. */
export interface Described {
  readonly amount?: Amount | undefined;
  /** A size beside the amount: "1 pizza grande". */
  readonly size?: string | undefined;
  /** The name of the food is a plural: "tacos". */
  readonly isPlural?: boolean;
  /** Stems of the words around it: "small", "single", "bag", "footlong". */
  readonly words: readonly string[];
  /** Stems of the words that name the food. */
  readonly name: ReadonlySet<string>;
  /** Measures and portions are those of its region. */
  readonly language?: Pick<Language, 'code' | 'region'> | undefined;
  /** The food that this one is added to: the tea of "tea with milk". */
  readonly host?: Host | undefined;
}

/** A food with an addition: the toast of "2 slices of toast with butter". */
export interface Host extends Pick<Food, 'name'> {
  /** Its amount as a multiple of its usual portion; at least 1. */
  readonly times: number;
}

/** A heaped spoon of flour, sugar, cocoa, or spice holds about half as much again as a level one. */
export const HEAPED = 1.5;

/** Milliliters of British Imperial units that differ from those of the United States. */
const IMPERIAL_ML: Readonly<Partial<Record<UnitName, number>>> = {
  fl_oz: 28.4131,
  pint: 568.261,
  quart: 1136.52,
  gallon: 4546.09,
};
const IMPERIAL_REGIONS: ReadonlySet<string> = new Set(['GB', 'IE']);
const METRIC_VOLUMES: ReadonlySet<UnitName> = new Set(['ml', 'cl', 'dl', 'l']);
const IMPERIAL_MASSES: ReadonlySet<UnitName> = new Set(['oz', 'lb']);

/** Grams or milliliters that the text itself states. */
export function statedIn(
  measure: 'grams' | 'ml',
  amount: Amount,
  region: string | undefined,
): number | undefined {
  const { quantity, unit, plus, each, alternatives, heaped } = amount;
  const known = unit === undefined ? undefined : sizeOf(measure, unit, region);
  if (known !== undefined) {
    const one = heaped ? HEAPED * known : known;
    return quantity * one + (plus === undefined ? 0 : (statedIn(measure, plus, region) ?? 0));
  }
  const inEach = each === undefined ? undefined : statedIn(measure, each, region);
  if (inEach !== undefined) return quantity * inEach;
  for (const other of alternatives) {
    // The ounces of "50ml/2oz" are fluid, and rounded.
    if (METRIC_VOLUMES.has(unit!) && IMPERIAL_MASSES.has(other.unit!)) continue;
    const stated = statedIn(measure, other, region);
    if (stated !== undefined) return stated;
  }
  return undefined;
}

function sizeOf(measure: 'grams' | 'ml', unit: UnitName, region: string | undefined): number | undefined {
  const imperial = measure === 'ml' && IMPERIAL_REGIONS.has(region ?? '') ? IMPERIAL_ML[unit] : undefined;
  return imperial ?? (UNITS[unit] as { grams?: number; ml?: number })[measure];
}
