import type { FoodDirectory } from '../catalogue/live/food-directory.ts';
import type { AppError } from '../errors.ts';
import { parseQuantity, toBasisAmount } from './convert.ts';
import { parseDay } from './day.ts';
import {
  AMOUNT_KEYS,
  type AmountKey,
  type Amounts,
  type DiaryEntry,
  type DiaryOwner,
  parseAmounts,
  parseFoodName,
} from './entry.ts';
import type { EntryChange } from './entry-input.ts';
import { invalidField } from './invalid-field.ts';
import { parseUnit } from './portion.ts';
import { scaleAmounts } from './snapshot.ts';
import { toDecimal } from './thousandths.ts';
import { normaliseUnit } from './unit.ts';

/** The next version of `entry`. The amounts follow quantity and unit, unless the change states amounts itself. */
export async function changeEntry(
  entry: DiaryEntry,
  change: EntryChange,
  owner: DiaryOwner,
  { foods, nowMs }: { foods: Pick<FoodDirectory, 'findById'>; nowMs: number },
): Promise<DiaryEntry> {
  const quantity = change.quantity === undefined ? entry.quantity : parseQuantity(change.quantity);
  const unit = change.unit === undefined ? entry.unit : parseUnit(change.unit);
  const next = { ...entry, ...(quantity !== undefined && { quantity }), ...(unit !== undefined && { unit }) };
  const statesAmounts = AMOUNT_KEYS.some((key) => change[key] !== undefined);
  return {
    ...next,
    ...(change.date !== undefined && { date: parseDay(change.date) }),
    ...(change.mealType !== undefined && { mealType: change.mealType }),
    ...(change.foodName !== undefined && { foodName: parseFoodName(change.foodName) }),
    ...(change.addedMethod !== undefined && { addedMethod: change.addedMethod }),
    amounts: statesAmounts
      ? withStated(entry.amounts, change)
      : scaleAmounts(entry.amounts, await factorBetween(entry, next, owner, foods)),
    version: entry.version + 1,
    // Where the clock was set back, a change must not look older than what it changed.
    updatedAt: Math.max(nowMs, entry.updatedAt),
  };
}

function withStated(amounts: Amounts, change: EntryChange): Amounts {
  const decimal: Partial<Record<AmountKey, number>> = {};
  for (const key of AMOUNT_KEYS) {
    const kept = amounts[key];
    const value = change[key] === undefined ? kept && toDecimal(kept) : change[key];
    if (value !== undefined && value !== null) decimal[key] = value;
  }
  return parseAmounts(decimal as Record<AmountKey, number>);
}

/** The factor from the old amount to the new one. Only a change of unit needs the food, to convert between the two. */
async function factorBetween(
  entry: DiaryEntry,
  next: Pick<DiaryEntry, 'quantity' | 'unit'>,
  owner: DiaryOwner,
  foods: Pick<FoodDirectory, 'findById'>,
): Promise<number> {
  // Where the entry stated no quantity or no unit before, there is nothing to scale by: the first one is only recorded.
  const { quantity, unit = next.unit } = entry;
  if (quantity === undefined || next.quantity === undefined) return 1;
  if (unit === undefined || next.unit === undefined || normaliseUnit(unit) === normaliseUnit(next.unit))
    return next.quantity / quantity;
  const food = entry.foodId === undefined ? undefined : await foods.findById(owner, entry.foodId);
  if (food === undefined) throw unknownRatio(entry.foodId, unit);
  return toBasisAmount(food, next.quantity, next.unit) / toBasisAmount(food, quantity, unit);
}

function unknownRatio(foodId: string | undefined, unit: string): AppError {
  const reason = foodId === undefined ? 'was not made from a food' : 'was made from a food that is gone';
  return invalidField('unit', `This entry ${reason}: keep its unit, or give the amounts as well.`, {
    possible: [unit],
  });
}
