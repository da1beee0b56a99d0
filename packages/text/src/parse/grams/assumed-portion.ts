import type { Food, Serving } from '@larder/core/food.ts';
import { round } from '@larder/core/rounding.ts';
import type { Amount } from '../../find-amounts.ts';
import type { FoodAmount } from './food-amount.ts';
import { isAddition, isStatedBy } from './to-grams.ts';
import { usualPortionOf } from './usual-portions.ts';

/** The portion by which an amount without a weight became grams, and other portions to offer. In the food's basis. */
export interface AssumedPortion {
  /** "1 medium", "usual portion". */
  readonly assumed: string;
  /** The range in which the amount probably lies. */
  readonly low: number;
  readonly high: number;
  /** Other meanings of the same words, the likelier ones first. */
  readonly others: readonly { readonly label: string; readonly grams: number }[];
}

const USUAL = 'usual portion';
const MAX_OTHERS = 4;
/** Small and large pieces, as shares of a usual one. */
const SMALL = 0.7;
const LARGE = 1.4;
/** Amounts that differ by less are one. */
const SAME_SHARE = 0.1;

/** Undefined for an amount that the text weighs or measures. */
export function assumedPortionOf(
  food: Food,
  { basisAmount, source }: Pick<FoodAmount, 'basisAmount' | 'source'>,
  said: Amount | undefined,
): AssumedPortion | undefined {
  if (isStatedBy(source) || !(basisAmount > 0)) return undefined;
  const quantity = said?.quantity ?? 1;
  const usual = usualPortionOf(food);
  const isOne = said === undefined || (quantity === 1 && said.unit === undefined);
  const spread =
    usual !== undefined && isOne && !isAddition(source)
      ? [usual.p10, usual.p90]
      : [SMALL * basisAmount, LARGE * basisAmount];
  const others = food.servings
    .filter(({ label }) => label !== undefined)
    .map((serving) => ({
      label: times(quantity, nameOf(serving)),
      grams: (quantity * serving.basisAmount) / (isOne ? 1 : serving.value),
    }));
  if (usual !== undefined && !usual.isOfGroup && isOne) others.push({ label: USUAL, grams: usual.p50 });
  return {
    assumed: labelOf(source, said),
    low: round(Math.min(basisAmount, ...spread)),
    high: round(Math.max(basisAmount, ...spread)),
    others: distinct(others, basisAmount).slice(0, MAX_OTHERS),
  };
}

function nameOf({ label, value, unit }: Serving): string {
  return (label ?? `${value} ${unit}`).replace(/ \([\d.]+ (?:g|ml)\)$/, '');
}

function times(quantity: number, label: string): string {
  return quantity === 1 ? label : `${quantity} × ${label}`;
}

/** The assumption that a source of grams stands for. */
function labelOf(source: string, said: Amount | undefined): string {
  const serving = /^serving "(.+)"/.exec(source)?.[1]?.replace(/ \([\d.]+ (?:g|ml)\)$/, '');
  if (serving === undefined) return isAddition(source) ? USUAL : source.replace(/ \(.*\)$/, '');
  return said === undefined && serving === '1 serving' ? USUAL : times(said?.quantity ?? 1, serving);
}

function distinct(
  all: AssumedPortion['others'],
  basisAmount: number,
): { readonly label: string; readonly grams: number }[] {
  const kept: { label: string; grams: number }[] = [];
  const isNear = (one: number, other: number) => Math.abs(one - other) <= SAME_SHARE * other;
  for (const { label, grams } of all) {
    if (isNear(grams, basisAmount) || kept.some((each) => isNear(grams, each.grams))) continue;
    kept.push({ label, grams: round(grams) });
  }
  return kept;
}
