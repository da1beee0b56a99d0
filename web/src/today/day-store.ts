import { effect, signal } from '@preact/signals';
import {
  type DailyTotals,
  type DiaryBatchEntry,
  type DiaryEntry,
  type DiaryEntryPatch,
  LarderError,
  type MealType,
  versionOf,
} from 'larder-client';
import { person } from '../account/session.ts';
import { type Day, shifted, today } from '../days.ts';
import { larder } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';

/** The day that is shown. */
export const day = signal<Day>(today());
/** Its entries and sums; undefined until they are read. */
export const entries = signal<readonly DiaryEntry[] | undefined>(undefined);
export const totals = signal<DailyTotals | undefined>(undefined);
export const problem = signal<string | undefined>(undefined);

/** Reads of an earlier day, or from before a later write, are dropped. */
let latest = 0;

effect(() => {
  if (person.value === null || person.value === undefined) return;
  entries.value = undefined;
  totals.value = undefined;
  void load(day.value);
});

export async function load(shown: Day = day.peek()): Promise<void> {
  const read = ++latest;
  try {
    const { diary } = self();
    const [all, sums] = await Promise.all([
      diary.list({ date: shown }).all(),
      diary.totals({ date: shown, remaining: true }),
    ]);
    if (read !== latest) return;
    entries.value = all;
    totals.value = sums;
    problem.value = undefined;
  } catch (error) {
    if (read === latest) problem.value = problemOf(error);
  }
}

type WithoutPlace<Entry> = Entry extends unknown ? Omit<Entry, 'date' | 'mealType'> : never;
/** An entry without its day and meal. */
export type NewFood = WithoutPlace<DiaryBatchEntry>;

/** Writes foods into a meal of the day that is shown; "Undo" deletes them. */
export async function add(mealType: MealType, foods: readonly NewFood[]): Promise<void> {
  const date = day.peek();
  const added = await self().diary.add(foods.map((food) => ({ ...food, date, mealType }) as DiaryBatchEntry));
  const { added: one, addedCount } = texts.peek();
  const text = added.length === 1 ? one(added[0]!.foodName) : addedCount(added.length);
  await load();
  tell(text, async () => {
    await Promise.all(added.map(({ id }) => self().diary.remove(id)));
    await load();
  });
}

/** Deletes an entry; "Undo" writes it again, as it was. */
export async function remove(entry: DiaryEntry): Promise<void> {
  await attempt(async () => {
    await self().diary.remove(entry.id, { ifMatch: versionOf(entry) });
    tell(texts.peek().deleted(entry.foodName), async () => {
      await self().diary.add([inputOf(entry)]);
      await load();
    });
  });
}

export async function change(entry: DiaryEntry, patch: DiaryEntryPatch): Promise<void> {
  await attempt(async () => {
    await self().diary.change(entry.id, patch, { ifMatch: versionOf(entry) });
    tell(texts.peek().changed);
  });
}

/** Copies the meal of the day before. */
export async function copyMeal(mealType: MealType): Promise<void> {
  await attempt(async () => {
    const copied = await self().diary.copy({ from: shifted(day.peek(), -1), to: day.peek(), mealType });
    tell(texts.peek().addedCount(copied.length), async () => {
      await Promise.all(copied.map(({ id }) => self().diary.remove(id)));
      await load();
    });
  });
}

async function attempt(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    tell(problemOf(error));
    if (!(error instanceof LarderError)) throw error;
  }
  await load();
}

/** The values of an entry, with which it can be written again whatever became of its food. */
function inputOf({
  id,
  version,
  userId,
  unknown,
  createdAt,
  updatedAt,
  ...entry
}: DiaryEntry): DiaryBatchEntry {
  const { date, mealType, foodName, calories, protein, carbs, fat, fiber, sodium, nutrients } = entry;
  const { quantity, unit, addedMethod, eatenAt, note, foodId } = entry;
  const rest = { date, mealType, addedMethod, eatenAt, note };
  if (foodId !== undefined && quantity !== undefined && unit !== undefined) {
    return { ...rest, foodId, quantity, unit };
  }
  return { ...rest, foodName, calories, protein, carbs, fat, fiber, sodium, nutrients, quantity, unit };
}

function self() {
  return larder.user(person.peek()!.id);
}
