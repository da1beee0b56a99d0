import { type Basis, leadWithMeasure, type Serving } from '@larder/core/food.ts';
import type { FoodNote } from '@larder/core/food-notes.ts';
import { tidyNumber } from '@larder/core/rounding.ts';
import type { RawFood, RawServing } from './raw-food.ts';
import { parseServingText, type ServingText } from './serving-text.ts';
import { isMass, isServingAmount, type MeasuredAmount, measuredAmount } from './units.ts';

/** A serving that combines its text and its separate fields. */
interface ReadServing extends Omit<ServingText, 'milligrams'> {
  /** The amount from separate fields; a number without unit has that of the basis, g or ml. */
  readonly stated?: MeasuredAmount;
  readonly bareNumber?: number;
  readonly grams?: number;
  readonly mended: readonly FoodNote[];
}

/** Numbers within this share are equal. */
const NEAR = 0.05;
/** Ounces are rounded, and packages call 30 g an ounce. */
const NEAR_OUNCES = 0.15;
/** Maximum number of pieces that a number may repeat. */
const MAX_COUNT = 20;
/** Above this a serving in mg may really be in mg. */
const MAX_SLIP_MG = 1_000;
/** Products that may weigh a gram or less, so that a serving in mg is no error, and one of 1 g no count. */
const LIGHT: ReadonlySet<string> = new Set(
  'piece|tablet|drop|pinch|dash|capsule|lozenge|candy|mint|gum|gummy|leaf|sprig|cube|stick|sachet|packet|tea bag|tsp|scoop|unit|single'.split(
    '|',
  ),
);

function readServing(raw: RawServing, basis: Basis | undefined): ReadServing {
  const { milligrams, ...read } = parseServingText(raw.text ?? '');
  const { grams } = raw;
  const weight = grams !== undefined && isServingAmount(grams) ? { grams: tidyNumber(grams) } : {};
  if (milligrams !== undefined) {
    const isSlip = isSlipOfMilligrams(milligrams, read.household?.unit, raw);
    const amount = measuredAmount(milligrams, isSlip ? (basis ?? 'g') : 'mg');
    if (amount !== undefined) {
      const { label: _, ...unlabelled } = read;
      const kept = isSlip && read.household === undefined ? unlabelled : read;
      const found = isMass(amount) ? { mass: amount } : { volume: amount };
      return { ...kept, ...found, ...weight, mended: isSlip ? ['serving_in_mg'] : [] };
    }
  }
  return { ...read, ...numberOf(raw, read), ...weight };
}

/** Whether "330 mg" means 330 g or ml: a tablet weighs so little, and a serving never exceeds its package. */
function isSlipOfMilligrams(
  milligrams: number,
  unit: string | undefined,
  { packageAmount }: RawServing,
): boolean {
  if (milligrams > MAX_SLIP_MG || (unit !== undefined && LIGHT.has(unit))) return false;
  return packageAmount === undefined || milligrams <= packageAmount;
}

/** The amount of the separate fields, if it takes precedence over the text. */
function numberOf(
  { quantity, unit = '', isQuantityDerived = false }: RawServing,
  read: Pick<ServingText, 'mass' | 'volume' | 'household'>,
): Pick<ReadServing, 'stated' | 'bareNumber' | 'mended'> {
  if (quantity === undefined) return { mended: [] };
  const { household } = read;
  const written = read.mass ?? read.volume;
  const stated = unit === '' ? undefined : measuredAmount(quantity, unit);
  const isCount = household !== undefined && household.value === quantity && quantity <= MAX_COUNT;
  if (written === undefined) {
    if (isQuantityDerived && isCount && !LIGHT.has(household.unit))
      return { mended: ['serving_count_dropped'] };
  } else if (isQuantityDerived || isCount) {
    const isFine = written.unit === 'g' || written.unit === 'ml';
    const gap = Math.abs((stated?.basisAmount ?? quantity) / written.basisAmount - 1);
    if (gap > (isFine ? NEAR : NEAR_OUNCES)) return { mended: ['serving_text_counts'] };
  }
  if (stated !== undefined) return { stated, mended: [] };
  const isBare = unit === '' && isServingAmount(quantity);
  return { ...(isBare && { bareNumber: tidyNumber(quantity) }), mended: [] };
}

/** Derives the food's basis from a serving. Ounces of a drink are fluid ounces if the text also has ml. */
function basisOf({ stated, mass, volume, grams }: ReadServing): Basis | undefined {
  if (stated !== undefined) return isMass(stated) ? 'g' : 'ml';
  if (mass?.unit === 'oz' && volume?.unit === 'ml' && grams === undefined) return 'ml';
  if (mass !== undefined || grams !== undefined) return 'g';
  return volume === undefined ? undefined : 'ml';
}

const MAX_SERVINGS = 20;
const DEFAULT_BASIS_AMOUNT = 100;

interface CleanServings {
  readonly basis: Basis;
  readonly servings: readonly [Serving, ...Serving[]];
  /** Weight or volume of the stated serving, in the basis; undefined if none is stated. */
  readonly statedAmount?: number;
  readonly mended: readonly FoodNote[];
}

/**
 * The servings of a food, and its basis: as stated, otherwise that of its first serving. Without a serving of
 * known weight, the serving is 100 g or 100 ml.
 */
export function cleanServings(raw: Pick<RawFood, 'basis' | 'servings'>): CleanServings {
  const read = (raw.servings ?? []).slice(0, MAX_SERVINGS).map((serving) => readServing(serving, raw.basis));
  const basis = raw.basis ?? read.map(basisOf).find((found) => found !== undefined) ?? 'g';
  const servings = read.flatMap((serving) => toServings(serving, basis));
  const [first, ...rest] = uniqueServings(servings);
  const mended = read.flatMap((serving) => serving.mended);
  if (first !== undefined) {
    const led = leadWithMeasure([first, ...rest], basis);
    return { basis, servings: led, statedAmount: first.basisAmount, mended };
  }
  const hadOne = (raw.servings ?? []).some(({ text }) => text !== undefined && text.trim() !== '');
  return {
    basis,
    servings: DEFAULT_SERVING[basis],
    mended: hadOne ? [...mended, 'serving_unknown'] : mended,
  };
}

const DEFAULT_SERVING: Readonly<Record<Basis, readonly [Serving]>> = {
  g: [{ value: DEFAULT_BASIS_AMOUNT, unit: 'g', basisAmount: DEFAULT_BASIS_AMOUNT }],
  ml: [{ value: DEFAULT_BASIS_AMOUNT, unit: 'ml', basisAmount: DEFAULT_BASIS_AMOUNT }],
};

/** The serving by weight or volume, then by household unit. None if the weight is unknown. */
function toServings(read: ReadServing, basis: Basis): Serving[] {
  const { household, label } = read;
  const labelled = label === undefined ? {} : { label };
  if (read.grams !== undefined && basis === 'g') {
    const { value, unit } = household ?? { value: read.grams, unit: 'g' };
    return [{ value, unit, basisAmount: read.grams, ...labelled }];
  }
  const written = basis === 'g' ? read.mass : read.volume;
  const amount = statedAmount(read, basis) ?? written;
  if (amount === undefined) return [];
  const serving = { ...amount, ...labelled };
  return household === undefined
    ? [serving]
    : [serving, { ...household, basisAmount: amount.basisAmount, ...labelled }];
}

function statedAmount(
  { stated, bareNumber, mass, volume }: ReadServing,
  basis: Basis,
): MeasuredAmount | undefined {
  if (stated !== undefined) return isMass(stated) === (basis === 'g') ? stated : undefined;
  // If the text has only the other measure, a number without unit is in that measure.
  const isOther = basis === 'g' ? mass === undefined && volume : volume === undefined && mass;
  if (bareNumber === undefined || isOther) return undefined;
  return { value: bareNumber, unit: basis, basisAmount: bareNumber };
}

function uniqueServings(servings: readonly Serving[]): Serving[] {
  if (servings.length < 2) return [...servings];
  const seen = new Set<string>();
  return servings.filter(({ value, unit, label }) => {
    const key = `${value} ${unit} ${label ?? ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
