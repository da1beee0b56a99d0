import { toAmountFields } from './amount-fields.ts';
import { type Day, type DayRange, daysOf } from './day.ts';
import {
  AMOUNT_KEYS,
  AMOUNT_LIMITS,
  type AmountKey,
  type Amounts,
  COLUMN_AMOUNTS,
  isFurther,
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
  /** How many items state each of these. */
  readonly statedBy: Readonly<Partial<Record<AmountKey, number>>>;
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

/** Exact sums of one amount: of both of its parts, and how many items state it. */
interface ExactSum {
  known: number;
  amount: number;
  rest: number;
}

/** Exact sums of any number of items. */
export class ExactSums {
  items = 0;
  readonly #sums = new Map<AmountKey, ExactSum>();
  #hasFurther = false;

  /** Adds the sums of both parts of an amount over `known` items. */
  add(key: AmountKey, known: number, amount: number, rest: number): void {
    if (known === 0) return;
    const sum = this.#sums.get(key);
    if (sum === undefined) {
      this.#sums.set(key, { known, amount, rest });
      this.#hasFurther ||= isFurther(key);
      return;
    }
    sum.known += known;
    sum.amount += amount;
    sum.rest += rest;
  }

  /** Amounts that at least one item states, and the main ones, in the order of all amounts. */
  get keys(): readonly AmountKey[] {
    const all = this.#hasFurther ? AMOUNT_KEYS : COLUMN_AMOUNTS;
    return all.filter((key) => isMainAmount(key) || this.#sums.has(key));
  }

  of(key: AmountKey): Readonly<ExactSum> {
    return this.#sums.get(key) ?? NO_SUM;
  }
}

const NO_SUM: Readonly<ExactSum> = { known: 0, amount: 0, rest: 0 };
export const NO_SUMS: Sums = toSums(new ExactSums());

export function sumAmounts(
  items: Iterable<{ readonly amounts: Partial<Amounts>; readonly rests?: Rests }>,
): ExactSums {
  const sums = new ExactSums();
  for (const { amounts, rests } of items) {
    sums.items++;
    for (const [key, amount] of Object.entries(amounts) as [AmountKey, Thousandths][])
      sums.add(key, 1, amount, rests?.[key] ?? 0);
  }
  return sums;
}

/** Rounds exact sums once. */
export function toSums(sums: ExactSums): Sums {
  return sumsBy(sums, (key) => {
    const { known, amount, rest } = sums.of(key);
    return roundSum(amount, rest, known);
  }) as Sums;
}

/** The sums of one of `parts` equal parts, without amounts that an entry cannot hold. */
export function toPartSums(sums: ExactSums, parts: number): PartSums {
  return sumsBy(sums, (key) => {
    const part = unroundedSum(sums, key) / parts;
    return part <= AMOUNT_LIMITS[key] ? splitAmount(part)[0] : undefined;
  });
}

function sumsBy(sums: ExactSums, sumOf: (key: AmountKey) => Thousandths | undefined): PartSums {
  const totals: Partial<Record<AmountKey, Thousandths>> = {};
  const incomplete: AmountKey[] = [];
  const statedBy: Partial<Record<AmountKey, number>> = {};
  for (const key of sums.keys) {
    const sum = sumOf(key);
    if (sum === undefined) continue;
    totals[key] = sum;
    const { known } = sums.of(key);
    if (known === sums.items) continue;
    incomplete.push(key);
    statedBy[key] = known;
  }
  return { totals, incomplete, statedBy };
}

function unroundedSum(sums: ExactSums, key: AmountKey): number {
  const { amount, rest } = sums.of(key);
  return joinAmount(amount as Thousandths, rest);
}

/** Exact sums as unrounded decimal numbers, only of amounts that every item states. */
export function completeSums(sums: ExactSums): Partial<Record<AmountKey, number>> {
  const complete = sums.keys.filter((key) => sums.of(key).known === sums.items);
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
export function toSumFields({ totals, incomplete, statedBy }: PartSums): ReturnType<typeof toAmountFields> & {
  readonly unknown?: readonly AmountKey[];
  readonly statedBy?: Sums['statedBy'];
} {
  const fields = toAmountFields(totals);
  for (const key of incomplete) if (totals[key] === 0) delete fields.nutrients[NUTRIENT_OF[key]];
  return { ...fields, ...(incomplete.length > 0 && { unknown: incomplete, statedBy }) };
}
