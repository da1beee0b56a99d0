import type { FactPortion } from '@larder/core/food-facts.ts';
import type { RawServing } from '../normalise/raw-food.ts';
import { toFraction } from './field-texts.ts';

/** A row of `food_portion.csv` or an element of `foodPortions`. Only generic foods have them. */
export interface FdcPortion {
  /** The source's order of portions. */
  readonly order: number;
  readonly amount?: number | undefined;
  /** Name of the measure unit; undefined for "undetermined". */
  readonly unit?: string | undefined;
  /** The whole text in survey foods: "1 cup, mashed". */
  readonly description: string;
  /** The unit in SR Legacy foods ("cup, mashed"), an internal number in survey foods. */
  readonly modifier: string;
  readonly grams: number;
}

/** The `measure_unit` of portions that have none. */
export const UNDETERMINED_UNIT = 9999;

/** Maximum portions; USDA's foods have up to 16. */
export const MAX_PORTIONS = 60;
const TYPICAL = 'Quantity not specified';
/** Hints for interviewers, not servings. */
const NO_SERVING = /^(Guideline amount|Quantity not specified|Topping |Skin from )/;

/**
 * The servings of a generic food, the usual one first. The survey portion "Quantity not specified" is the amount to
 * assume if a person names none. It is not a serving itself, but shows which other serving is the usual one; if it is
 * a simple multiple of one ("10 fl oz"), that multiple is added.
 */
export function portionServings(portions: readonly FdcPortion[]): RawServing[] {
  const ordered = [...portions].sort((a, b) => a.order - b.order).slice(0, MAX_PORTIONS);
  const typicalGrams = ordered.find(({ description }) => description === TYPICAL)?.grams ?? 0;
  const servings = ordered.filter(isServing).map(toServing);
  return typicalGrams > 0 ? typicalFirst(servings, typicalGrams) : servings;
}

/** A portion in facts, as the source states it. */
export function factPortion({ amount, unit, description, modifier, grams }: FdcPortion): FactPortion {
  return {
    ...(amount !== undefined && { amount }),
    ...(unit !== undefined && unit !== '' && { unit }),
    ...(description !== '' && { description }),
    ...(modifier !== '' && { modifier }),
    grams,
  };
}

interface PortionServing extends RawServing {
  text: string;
  grams: number;
}

function isServing({ description, modifier, unit, grams }: FdcPortion): boolean {
  if (!(grams > 0) || NO_SERVING.test(description)) return false;
  return description !== '' || unit !== undefined || nameOf(modifier) !== '';
}

function toServing({ amount, unit, description, modifier, grams }: FdcPortion): PortionServing {
  // Survey texts include their number.
  if (/^\d/.test(description)) return { text: description, grams };
  const number = amount || 1;
  const unitName = unit && plural(unit, number);
  const words = [unitName, description, nameOf(modifier)].filter((word) => word).join(', ');
  return { text: `${toFraction(number)} ${words}`, grams };
}

/** A modifier of digits is a code of the survey. */
function nameOf(modifier: string): string {
  return /^\d*$/.test(modifier) ? '' : modifier;
}

function typicalFirst(servings: readonly PortionServing[], grams: number): PortionServing[] {
  if (servings.length === 0) return [{ text: '1 serving', grams }];
  const first =
    servings.find((serving) => isSameWeight(serving.grams, grams)) ??
    multipleOf(servings, grams) ??
    nearest(servings, grams);
  return [first, ...servings.filter((serving) => serving !== first)];
}

/** Units with plural s, and the two without. */
const REGULAR = 'cup|tablespoon|teaspoon|slice|piece|cracker|chip|cookie|nut';
const COUNTED = new RegExp(`^1 (${REGULAR}|fl oz|oz)(?![\\w/-])`);
const REGULAR_UNIT = new RegExp(`^(${REGULAR})$`);
const MULTIPLES = [2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20];
const CUP_FRACTIONS = [1 / 2, 1 / 4, 3 / 4, 1 / 3, 2 / 3];

function multipleOf(servings: readonly PortionServing[], grams: number): PortionServing | undefined {
  for (const { text, grams: unitGrams } of servings) {
    const unit = COUNTED.exec(text)?.[1];
    if (unit === undefined) continue;
    const factors = unit === 'cup' ? [...CUP_FRACTIONS, ...MULTIPLES] : MULTIPLES;
    const factor = factors.find((each) => isSameWeight(unitGrams * each, grams));
    if (factor === undefined) continue;
    return { text: text.replace(COUNTED, `${toFraction(factor)} ${plural(unit, factor)}`), grams };
  }
  return undefined;
}

function plural(unit: string, number: number): string {
  return number > 1 && REGULAR_UNIT.test(unit) ? `${unit}s` : unit;
}

/** Weights are rounded to grams or tenths. */
function isSameWeight(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(0.05, b * 0.01);
}

function nearest(servings: readonly PortionServing[], grams: number): PortionServing {
  const distance = (serving: PortionServing) => Math.abs(Math.log(serving.grams / grams));
  return servings.reduce((best, serving) => (distance(serving) < distance(best) ? serving : best));
}
