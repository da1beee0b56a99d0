import { toAmountFields } from './amount-fields.ts';
import { type Day, type DayRange, daysOf } from './day.ts';
import {
  AMOUNT_KEYS,
  AMOUNT_LIMITS,
  type AmountKey,
  type Amounts,
  isMainAmount,
  type MainAmount,
  type MealType,
  NUTRIENT_OF,
  type Rests,
} from './entry.ts';
import { joinAmount, roundSum, splitAmount, type Thousandths } from './exact-amount.ts';

/** Sums that count unknown values as 0. Beyond the main amounts, they include those that at least one item states. */
export type Totals = Readonly<Record<MainAmount, Thousandths> & Partial<Record<AmountKey, Thousandths>>>;

export interface Sums {
  readonly totals: Totals;
  /** Amounts of `totals` that at least one item does not state. */
  readonly incomplete: readonly AmountKey[];
}

/** Sums of a part, which may leave out any amount. */
export interface PartSums extends Omit<Sums, 'totals'> {
  readonly totals: Partial<Totals>;
}

export interface DayTotals extends Sums {
  readonly date: Day;
  /** How many entries the sums are of. */
  readonly entries: number;
  /** Sums of the meals with entries, if the caller asked for sums by meal. */
  readonly meals?: Readonly<Partial<Record<MealType, Sums>>>;
}

/** Exact sums of both parts of amounts, with the number of items. */
export interface ExactSums {
  readonly items: number;
  /** Number of items that state each amount. */
  readonly known: Readonly<Record<AmountKey, number>>;
  readonly amounts: Readonly<Record<AmountKey, number>>;
  readonly rests: Readonly<Record<AmountKey, number>>;
}

const ZEROS = Object.fromEntries(AMOUNT_KEYS.map((key) => [key, 0])) as Record<AmountKey, number>;
export const NO_SUMS: Sums = toSums({ items: 0, known: ZEROS, amounts: ZEROS, rests: ZEROS });

export function sumAmounts(
  items: Iterable<{ readonly amounts: Partial<Amounts>; readonly rests?: Rests }>,
): ExactSums {
  const [known, amounts, rests] = [{ ...ZEROS }, { ...ZEROS }, { ...ZEROS }];
  let count = 0;
  for (const item of items) {
    count++;
    for (const key of AMOUNT_KEYS) {
      const amount = item.amounts[key];
      if (amount === undefined) continue;
      known[key]++;
      amounts[key] += amount;
      rests[key] += item.rests?.[key] ?? 0;
    }
  }
  return { items: count, known, amounts, rests };
}

/** Rounds exact sums once. */
export function toSums(sums: ExactSums): Sums {
  return sumsBy(sums, (key) => roundSum(sums.amounts[key], sums.rests[key], sums.known[key])) as Sums;
}

/** The sums of one of `parts` equal parts, without amounts that an entry cannot hold. */
export function toPartSums(sums: ExactSums, parts: number): PartSums {
  return sumsBy(sums, (key) => {
    const part = unroundedSum(sums, key) / parts;
    return part <= AMOUNT_LIMITS[key] ? splitAmount(part)[0] : undefined;
  });
}

function sumsBy({ items, known }: ExactSums, sumOf: (key: AmountKey) => Thousandths | undefined): PartSums {
  const totals: Partial<Record<AmountKey, Thousandths>> = {};
  for (const key of AMOUNT_KEYS) {
    const sum = isMainAmount(key) || known[key] > 0 ? sumOf(key) : undefined;
    if (sum !== undefined) totals[key] = sum;
  }
  return { totals, incomplete: AMOUNT_KEYS.filter((key) => key in totals && known[key] < items) };
}

function unroundedSum({ amounts, rests }: ExactSums, key: AmountKey): number {
  return joinAmount(amounts[key] as Thousandths, rests[key]);
}

/** Exact sums as unrounded decimal numbers, only of amounts that every item states. */
export function completeSums(sums: ExactSums): Partial<Record<AmountKey, number>> {
  const complete = AMOUNT_KEYS.filter((key) => sums.known[key] === sums.items);
  return Object.fromEntries(complete.map((key) => [key, unroundedSum(sums, key)]));
}

/** One element for each date of the range, with zeros for dates without sums. */
export function fillDays(range: DayRange, sums: readonly DayTotals[]): DayTotals[] {
  const none = { entries: 0, ...NO_SUMS };
  if (range.from === range.to) return [sums[0] ?? { date: range.from, ...none }];
  const byDay = new Map(sums.map((day) => [day.date, day]));
  return daysOf(range).map((date) => byDay.get(date) ?? { date, ...none });
}

/** Sums in the form of the API. In `nutrients` a sum of 0 is unknown, and absent, if not every item contributes to it. */
export function toSumFields({
  totals,
  incomplete,
}: PartSums): ReturnType<typeof toAmountFields> & { readonly unknown?: readonly AmountKey[] } {
  const fields = toAmountFields(totals);
  for (const key of incomplete) if (totals[key] === 0) delete fields.nutrients[NUTRIENT_OF[key]];
  return { ...fields, ...(incomplete.length > 0 && { unknown: incomplete }) };
}
