import { randomBytes } from 'node:crypto';
import type { FoodId } from '@larder/core/food.ts';
import { createIds } from '../../src/base/time-ordered-id.ts';
import type { Day } from '../../src/diary/records/day.ts';
import { type DecimalAmounts, type DiaryEntry, parseAmounts } from '../../src/diary/records/entry.ts';
import type { Measurement } from '../../src/diary/records/measurement.ts';
import type { Recipe } from '../../src/diary/records/recipe.ts';
import type { UserRecord } from '../../src/diary/records/user-record.ts';

let clockMs = Date.UTC(2026, 0, 1);

/** An entry with a new id, later than every one before it. */
export function newEntry(
  changes: Partial<Omit<DiaryEntry, 'amounts'>> & { amounts?: Partial<DecimalAmounts> } = {},
): DiaryEntry {
  const { amounts, ...rest } = changes;
  clockMs += 1;
  return {
    id: createIds(1, clockMs, randomBytes)[0]!,
    date: '2026-01-31' as Day,
    mealType: 'lunch',
    foodName: 'Lentil soup',
    amounts: parseAmounts({ calories: 1, protein: 0, carbs: 0, fat: 0, ...amounts }),
    addedMethod: 'manual',
    version: 1,
    createdAt: clockMs,
    updatedAt: clockMs,
    ...rest,
  };
}

/** A recipe with a new id, later than that of every entry and recipe before it. */
export function newRecipe(): Recipe {
  const { id, createdAt, updatedAt, amounts } = newEntry();
  return {
    id,
    name: 'Tomato "sauce"',
    servings: 4,
    yieldGrams: 812.5,
    ingredients: [{ name: 'Tomato', foodId: 'fdc:1' as FoodId, quantity: 2, unit: 'cup', amounts }],
    version: 1,
    createdAt,
    updatedAt,
  };
}

/** A measurement with a new id, later than that of everything before it. */
export function newMeasurement(changes: Partial<Measurement> = {}): Measurement {
  const { id, createdAt, updatedAt } = newEntry();
  return {
    id,
    version: 1,
    name: 'weight',
    value: 72.4,
    unit: 'kg',
    measuredAt: '2026-01-31T07:00:00+01:00',
    createdAt,
    updatedAt,
    ...changes,
  };
}

/** A record of a kind that a description defines, with a new id, later than that of everything before it. */
export function newRecord(changes: Partial<UserRecord> = {}): UserRecord {
  const { id, createdAt, updatedAt } = newEntry();
  return { id, version: 1, body: { note: 'x' }, createdAt, updatedAt, ...changes };
}
