import type { AppError } from '@larder/core/errors.ts';
import type { FoodDirectory } from '../foods/visible-foods.ts';
import type { EntryChange } from './entry-input.ts';
import { flatAmounts } from './records/amount-fields.ts';
import { parseDay, parseMoment } from './records/day.ts';
import {
  AMOUNT_KEYS,
  type AmountKey,
  type DecimalAmounts,
  type DiaryEntry,
  type DiaryOwner,
  parseAmounts,
  parseFoodName,
  parseNote,
  parseUnit,
} from './records/entry.ts';
import { joinAmount, toDecimal } from './records/exact-amount.ts';
import { invalidField } from './records/invalid-field.ts';
import { type AmountBasis, isSameUnit, readBasis, restsOf, snapshotAt } from './records/snapshot.ts';
import { converts, isMeasured, parseQuantity } from './records/unit-conversion.ts';

type Amount = Pick<DiaryEntry, 'quantity' | 'unit'>;

/** The quantity of an entry without one. */
const WHOLE = 1;
const QUANTITY_DIGITS = 12;
type Yielded = Pick<DiaryEntry, 'amounts' | 'basis'>;

/** Makes the next version of `entry`. Amounts follow quantity and unit, unless the change states amounts. */
export async function toChangedEntry(
  entry: DiaryEntry,
  change: EntryChange,
  owner: DiaryOwner,
  { foods, nowMs }: { foods: FoodDirectory; nowMs: number },
): Promise<DiaryEntry> {
  const quantity = change.quantity === undefined ? entry.quantity : parseQuantity(change.quantity);
  const unit = change.unit === undefined ? entry.unit : parseUnit(change.unit);
  const amount: Amount = { ...(quantity !== undefined && { quantity }), ...(unit !== undefined && { unit }) };
  const stated = newAmounts(entry, amount, flatAmounts(change, entry.amounts));
  const eatenAt = change.eatenAt === undefined ? entry.eatenAt : change.eatenAt;
  const note = change.note === undefined ? entry.note : change.note;
  const { basis: _, eatenAt: __, note: ___, ...kept } = entry;
  return {
    ...kept,
    ...amount,
    ...(change.date !== undefined && { date: parseDay(change.date) }),
    ...(change.mealType !== undefined && { mealType: change.mealType }),
    ...(change.foodName !== undefined && { foodName: parseFoodName(change.foodName) }),
    ...(change.addedMethod !== undefined && { addedMethod: change.addedMethod }),
    ...(typeof eatenAt === 'string' && { eatenAt: parseMoment(eatenAt, 'eatenAt') }),
    ...(typeof note === 'string' && { note: parseNote(note) }),
    ...(Object.keys(stated).length > 0
      ? withStated(entry, amount, stated)
      : await withAmount(entry, amount, owner, foods)),
    version: entry.version + 1,
    // Times of an entry never decrease, even if the clock was set back.
    updatedAt: Math.max(nowMs, entry.updatedAt),
  };
}

/** The stated amounts; without those that are sent back as they were read with the same quantity, since these are rounded. */
function newAmounts<Stated extends Partial<Record<AmountKey, number | null>>>(
  { amounts, quantity, unit }: DiaryEntry,
  next: Amount,
  stated: Stated,
): Partial<Stated> {
  if (next.quantity !== quantity || next.unit !== unit) return stated;
  const isNew = ([key, value]: [string, number | null | undefined]) => {
    const known = amounts[key as AmountKey];
    return value !== (known === undefined ? null : toDecimal(known));
  };
  return Object.fromEntries(Object.entries(stated).filter(isNew)) as Partial<Stated>;
}

/** Returns a share of an entry, such as 0.5 for half of it. */
export function shareOf(entry: DiaryEntry, portion: number): DiaryEntry {
  if (portion === WHOLE) return entry;
  const { unit, basis, ...kept } = entry;
  const whole = entry.quantity ?? WHOLE;
  const known = basis === undefined ? undefined : readBasis(basis);
  const from: AmountBasis = known ?? { amounts: unroundedAmounts(entry), quantity: whole, ...unitOf(unit) };
  // Removes digits that only result from binary fractions.
  const quantity = Number((whole * portion).toPrecision(QUANTITY_DIGITS));
  // A unit without a quantity states no amount, and neither does a share of the entry.
  const isCounted = entry.quantity !== undefined || unit === undefined;
  return {
    ...kept,
    ...unitOf(unit),
    ...(isCounted && { quantity }),
    ...snapshotAt(from, quantity, unit, entry.foodName),
  };
}

/** Replaces the stated amounts, with null as unknown, and keeps the others. */
function withStated(
  entry: DiaryEntry,
  { quantity, unit }: Amount,
  change: Partial<Record<AmountKey, number | null>>,
): Yielded {
  const kept = unroundedAmounts(entry);
  const stated: Partial<Record<AmountKey, number>> = {};
  for (const key of AMOUNT_KEYS) {
    const value = change[key] === undefined ? kept[key] : change[key];
    if (value !== undefined && value !== null) stated[key] = value;
  }
  const amounts = parseAmounts(stated as DecimalAmounts);
  if (entry.basis === undefined || quantity === undefined) return { amounts };
  // Stated values keep three decimals; computed ones keep all.
  for (const key of AMOUNT_KEYS) {
    const amount = amounts[key];
    if (change[key] !== undefined && amount !== undefined) stated[key] = toDecimal(amount);
  }
  const { food } = readBasis(entry.basis);
  const basis = { amounts: stated, quantity, ...(unit !== undefined && { unit }), ...(food && { food }) };
  return snapshotAt(basis, quantity, unit, entry.foodName);
}

/** Computes amounts from the basis, because displayed amounts are rounded. */
async function withAmount(
  entry: DiaryEntry,
  next: Amount,
  owner: DiaryOwner,
  foods: FoodDirectory,
): Promise<Yielded> {
  const { unit, amounts } = entry;
  // An entry without a quantity is one whole; a quantity of 2 doubles it. "250 g" only states its weight.
  const quantity = entry.quantity ?? (isMeasured(next.unit) ? undefined : WHOLE);
  const isNoted = quantity === undefined || next.quantity === undefined;
  if (isNoted || (next.quantity === quantity && next.unit === unit)) {
    return { amounts, ...(entry.basis !== undefined && { basis: entry.basis }) };
  }
  const known = entry.basis === undefined ? undefined : readBasis(entry.basis);
  const from = known ?? { amounts: unroundedAmounts(entry), quantity };
  const basis: AmountBasis = { ...from, ...unitOf(known?.unit ?? unit ?? next.unit) };
  const food = isSameUnit(basis.unit, next.unit)
    ? basis.food
    : await foodWith(next.unit!, basis.food, entry, owner, foods);
  return snapshotAt({ ...basis, ...(food && { food }) }, next.quantity!, next.unit, entry.foodName);
}

/**
 * The food for converting to a unit: as it was eaten, with its newer servings if it lacks the unit. Entries
 * written before foods were stored with entries use the current food.
 */
async function foodWith(
  wanted: string,
  eaten: AmountBasis['food'],
  { foodId, unit }: DiaryEntry,
  owner: DiaryOwner,
  foods: FoodDirectory,
): Promise<AmountBasis['food']> {
  // Without a name typical pieces are not used, because a newer serving of the food is more reliable.
  if (eaten !== undefined && converts({ ...eaten, name: '' }, wanted)) return eaten;
  const current = foodId === undefined ? undefined : await foods.findById(owner, foodId);
  if (eaten === undefined) {
    if (current === undefined) throw unknownRatio(foodId, unit!);
    return { basis: current.basis, servings: current.servings };
  }
  if (current === undefined || current.basis !== eaten.basis) return eaten;
  return { basis: eaten.basis, servings: [...eaten.servings, ...current.servings] };
}

function unroundedAmounts({ amounts, basis }: DiaryEntry): Partial<Record<AmountKey, number>> {
  const rests = basis === undefined ? {} : restsOf(basis);
  return Object.fromEntries(
    AMOUNT_KEYS.flatMap((key) =>
      amounts[key] === undefined ? [] : [[key, joinAmount(amounts[key], rests[key])]],
    ),
  );
}

function unitOf(unit: string | undefined): { readonly unit?: string } {
  return unit === undefined ? {} : { unit };
}

function unknownRatio(foodId: string | undefined, unit: string): AppError {
  const reason = foodId === undefined ? 'was not made from a food' : 'was made from a food that is gone';
  return invalidField('unit', `This entry ${reason}: keep its unit, or give the amounts as well.`, {
    possible: [unit],
  });
}
