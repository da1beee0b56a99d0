import type { Basis, Serving } from '../../catalogue/food/food.ts';
import type { Convertible } from '../values/unit-conversion.ts';
import { AMOUNT_KEYS, type AmountKey, type BasisText, type Rests } from './entry.ts';

/** Amounts as unrounded decimal numbers. */
export type UnroundedAmounts = Readonly<Partial<Record<AmountKey, number>>>;

/** The data that an entry's amounts are computed from, for any quantity and unit. */
export interface AmountBasis {
  /** For `quantity` of `unit`. */
  readonly amounts: UnroundedAmounts;
  readonly quantity: number;
  /** Absent if the entry has none. */
  readonly unit?: string;
  /** The food at the time of eating, for unit conversion. Absent if there was none. */
  readonly food?: Pick<Convertible, 'basis' | 'servings'>;
}

type ServingParts = readonly [value: number, unit: string, basisAmount: number, label?: string];
/** Amounts and rests are in the order of `AMOUNT_KEYS`, as far as there are any. */
type BasisParts = readonly [
  rests: readonly number[],
  quantity: number,
  unit: string | null,
  amounts: readonly (number | null)[],
  food: readonly [basis: Basis, servings: readonly ServingParts[]] | null,
];

/** The stored form, with what rounding removed from the present amounts, in the order of `AMOUNT_KEYS`. */
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

/** What rounding removed from the amounts beside this basis, in the order of `AMOUNT_KEYS`. */
export function restsIn(text: BasisText): BasisParts[0] {
  // They come first, and each entry that is written needs nothing else of it.
  return JSON.parse(text.slice(1, text.indexOf(']') + 1));
}

/** The same by key. */
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
