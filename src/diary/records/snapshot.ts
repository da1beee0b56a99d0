import { AppError } from '@larder/core/errors.ts';
import type { Basis, Food, Serving } from '@larder/core/food.ts';
import type { AnyNutrientKey, FurtherKey, Nutrients } from '@larder/core/nutrients.ts';
import {
  AMOUNT_KEYS,
  AMOUNT_LIMITS,
  type AmountKey,
  type Amounts,
  type BasisText,
  COLUMN_AMOUNTS,
  isFurther,
  isMainAmount,
  NUTRIENT_OF,
  type Rests,
} from './entry.ts';
import { type Rest, splitAmount, type Thousandths } from './exact-amount.ts';
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
type ByName = Readonly<Partial<Record<FurtherKey, number>>>;
/**
 * Amounts and rests are in the order of `COLUMN_AMOUNTS`; trailing ones may be missing. Further amounts and their rests are by name,
 * and absent if there are none.
 */
type UsualParts = readonly [
  rests: readonly number[],
  quantity: number,
  unit: string | null,
  amounts: readonly (number | null)[],
  food: readonly [basis: Basis, servings: readonly ServingParts[]] | null,
];
type BasisParts = readonly [...UsualParts, further?: ByName, furtherRests?: ByName];

/** Encodes the basis with the remainders of rounding the current amounts. */
export function writeBasis({ amounts, quantity, unit, food }: AmountBasis, rests: Rests): BasisText {
  const convertible = food && ([food.basis, food.servings.map(toParts)] as const);
  const further = furtherOf(amounts);
  const parts: UsualParts = [
    inOrder(rests, 0),
    quantity,
    unit ?? null,
    inOrder(amounts, null),
    convertible ?? null,
  ];
  const all: BasisParts = further === undefined ? parts : [...parts, further, furtherOf(rests) ?? {}];
  return JSON.stringify(all) as BasisText;
}

/** The values in the order of `COLUMN_AMOUNTS`, without the trailing ones that are missing. */
function inOrder<Missing>(
  values: Readonly<Partial<Record<AmountKey, number>>>,
  missing: Missing,
): (number | Missing)[] {
  const ordered: (number | Missing)[] = [];
  for (let at = 0; at < COLUMN_AMOUNTS.length; at++) {
    const value = values[COLUMN_AMOUNTS[at]!];
    if (value === undefined) continue;
    while (ordered.length < at) ordered.push(missing);
    ordered.push(value);
  }
  return ordered;
}

function furtherOf(values: Readonly<Partial<Record<AmountKey, number>>>): ByName | undefined {
  let further: Partial<Record<FurtherKey, number>> | undefined;
  for (const key in values) {
    if (!isFurther(key)) continue;
    further ??= {};
    further[key] = values[key]!;
  }
  return further;
}

export function readBasis(text: BasisText): AmountBasis {
  const [, quantity, unit, amounts, food, further] = JSON.parse(text) as BasisParts;
  const known = COLUMN_AMOUNTS.flatMap((key, at) =>
    typeof amounts[at] === 'number' ? [[key, amounts[at]]] : [],
  );
  return {
    amounts: { ...Object.fromEntries(known), ...further },
    quantity,
    ...(unit !== null && { unit }),
    ...(food !== null && {
      food: { basis: food[0], servings: food[1].map(toServing) as [Serving, ...Serving[]] },
    }),
  };
}

/** The remainders of the amounts beside this basis. */
export function restsOf(text: BasisText): Rests {
  // The remainders come first: writing an entry needs no other part unless it has further amounts.
  const inOrder: BasisParts[0] = JSON.parse(text.slice(1, text.indexOf(']') + 1));
  const known = inOrder.flatMap((rest, at) => (rest === 0 ? [] : [[COLUMN_AMOUNTS[at], rest]]));
  const further = text.endsWith('}]') ? (JSON.parse(text) as BasisParts)[6] : undefined;
  return { ...Object.fromEntries(known), ...further };
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

export function amountsOf(nutrients: Nutrients, unknown: readonly AnyNutrientKey[] = []): UnroundedAmounts {
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
  const rests: Partial<Record<AmountKey, Rest>> = {};
  for (const key of AMOUNT_KEYS) {
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
    if (rest !== 0) rests[key] = rest;
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
