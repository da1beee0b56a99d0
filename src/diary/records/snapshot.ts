import { AppError } from '@larder/core/errors.ts';
import type { Basis, Food, Serving } from '@larder/core/food.ts';
import type { Nutrients } from '@larder/core/nutrients.ts';
import {
  AMOUNT_KEYS,
  AMOUNT_LIMITS,
  type AmountKey,
  type Amounts,
  type BasisText,
  isMainAmount,
  NUTRIENT_OF,
  type Rests,
} from './entry.ts';
import { splitAmount, type Thousandths } from './exact-amount.ts';
import { type Convertible, parseQuantity, toBasisAmount } from './unit-conversion.ts';
import { normaliseUnit } from './units.ts';

/** Amounts as unrounded decimal numbers. */
export type UnroundedAmounts = Readonly<Partial<Record<AmountKey, number>>>;

/** The data that an entry's amounts are computed from, for any quantity and unit. */
export interface AmountBasis {
  /** Amounts of `quantity` of `unit`. */
  readonly amounts: UnroundedAmounts;
  readonly quantity: number;
  /** Absent if the entry has no unit. */
  readonly unit?: string;
  /** The food at the time of eating, for unit conversion. Absent for entries without a food. */
  readonly food?: Pick<Convertible, 'basis' | 'servings'>;
}

type ServingParts = readonly [value: number, unit: string, basisAmount: number, label?: string];
/** Amounts and rests are in the order of `AMOUNT_KEYS`; trailing ones may be missing. */
type BasisParts = readonly [
  rests: readonly number[],
  quantity: number,
  unit: string | null,
  amounts: readonly (number | null)[],
  food: readonly [basis: Basis, servings: readonly ServingParts[]] | null,
];

/** Encodes the basis with the remainders of rounding the current amounts, in the order of `AMOUNT_KEYS`. */
export function writeBasis(
  { amounts, quantity, unit, food }: AmountBasis,
  rests: readonly number[],
): BasisText {
  const stated: (number | null)[] = [];
  for (let at = 0; at < AMOUNT_KEYS.length; at++) {
    const amount = amounts[AMOUNT_KEYS[at]!];
    if (amount === undefined) continue;
    while (stated.length < at) stated.push(null);
    stated.push(amount);
  }
  const convertible = food && ([food.basis, food.servings.map(toParts)] as const);
  const parts: BasisParts = [rests, quantity, unit ?? null, stated, convertible ?? null];
  return JSON.stringify(parts) as BasisText;
}

export function readBasis(text: BasisText): AmountBasis {
  const [, quantity, unit, amounts, food] = JSON.parse(text) as BasisParts;
  const known = AMOUNT_KEYS.flatMap((key, at) =>
    typeof amounts[at] === 'number' ? [[key, amounts[at]]] : [],
  );
  return {
    amounts: Object.fromEntries(known),
    quantity,
    ...(unit !== null && { unit }),
    ...(food !== null && {
      food: { basis: food[0], servings: food[1].map(toServing) as [Serving, ...Serving[]] },
    }),
  };
}

/** The remainders of the amounts beside this basis, in the order of `AMOUNT_KEYS`. */
export function restsIn(text: BasisText): BasisParts[0] {
  // The remainders come first, and writing an entry needs no other part.
  return JSON.parse(text.slice(1, text.indexOf(']') + 1));
}

/** The remainders by key. */
export function restsOf(text: BasisText): Rests {
  const known = restsIn(text).flatMap((rest, at) => (rest === 0 ? [] : [[AMOUNT_KEYS[at], rest]]));
  return Object.fromEntries(known);
}

function toParts({ value, unit, basisAmount, label }: Serving): ServingParts {
  return label === undefined ? [value, unit, basisAmount] : [value, unit, basisAmount, label];
}

function toServing([value, unit, basisAmount, label]: ServingParts): Serving {
  return { value, unit, basisAmount, ...(label !== undefined && { label }) };
}

/** Rounded amounts of an entry and their basis, which includes the remainders of rounding. */
export interface Snapshot {
  readonly amounts: Amounts;
  readonly basis: BasisText;
}

/** The current amounts of `quantity` of `unit` of the food. */
export function snapshotOf(food: Food, quantity: number, unit: string): Snapshot {
  const { basis, servings, per100, stated = { amount: 100, nutrients: per100 } } = food;
  const from = { amounts: amountsOf(stated.nutrients, food.unknown), quantity: stated.amount, unit: basis };
  return snapshotAt({ ...from, food: { basis, servings } }, quantity, unit, food.name);
}

export function amountsOf(nutrients: Nutrients, unknown: Food['unknown'] = []): UnroundedAmounts {
  const amounts: Partial<Record<AmountKey, number>> = {};
  for (const key of AMOUNT_KEYS) {
    const amount = nutrients[NUTRIENT_OF[key]];
    if (amount !== undefined && !unknown.includes(NUTRIENT_OF[key])) amounts[key] = amount;
  }
  return amounts;
}

/**
 * The amounts of `quantity` of `unit`. They depend only on the basis, so that restoring the first quantity and unit
 * restores the first amounts.
 */
export function snapshotAt(
  basis: AmountBasis,
  quantity: number,
  unit: string | undefined,
  foodName: string,
): Snapshot {
  const factor = factorTo(basis, parseQuantity(quantity), unit, foodName);
  const amounts: Partial<Record<AmountKey, Thousandths>> = {};
  const rests: number[] = [];
  for (let at = 0; at < AMOUNT_KEYS.length; at++) {
    const key = AMOUNT_KEYS[at]!;
    const amount = basis.amounts[key];
    if (amount === undefined) continue;
    const value = amount * factor;
    const max = AMOUNT_LIMITS[key];
    // The comparison also rejects NaN: 0 times an infinite factor.
    if (!(value <= max)) {
      if (isMainAmount(key)) throw tooMuch(key, max);
      // Impossible values come from errors of the food's source, and are no reason to refuse the entry: the amount
      // counts as unknown.
      continue;
    }
    const [kept, rest] = splitAmount(value);
    amounts[key] = kept;
    if (rest === 0) continue;
    while (rests.length < at) rests.push(0);
    rests.push(rest);
  }
  return { amounts: amounts as Amounts, basis: writeBasis(basis, rests) };
}

/** Whether quantities in both units can be compared without the food. */
export function isSameUnit(a: string | undefined, b: string | undefined): boolean {
  return a === b || a === undefined || b === undefined || normaliseUnit(a) === normaliseUnit(b);
}

function factorTo(basis: AmountBasis, quantity: number, unit: string | undefined, foodName: string): number {
  if (basis.unit === undefined || unit === undefined || isSameUnit(basis.unit, unit)) {
    return quantity / basis.quantity;
  }
  if (basis.food === undefined) throw new Error(`nothing is known that converts ${basis.unit}`);
  const food = { ...basis.food, name: foodName };
  return toBasisAmount(food, quantity, unit) / toBasisAmount(food, basis.quantity, basis.unit);
}

function tooMuch(key: AmountKey, max: number): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `That much holds more than ${max} of ${key}; check "quantity" and "unit".`,
    details: { fields: ['quantity', 'unit'], max },
  });
}
