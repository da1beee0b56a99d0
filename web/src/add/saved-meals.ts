import type { DiaryEntry, Favourite, FavouriteInput, Food, MealType, SavedMeal } from 'larder-client';
import { person } from '../account/session.ts';
import type { Diary } from '../diary/diary.ts';
import { keyOf, referenceOf } from '../offline/entries/recipe-food.ts';
import { newId } from '../offline/ids.ts';
import { favourites } from '../offline/own-records.ts';
import { additionAgain } from '../offline/queue/addition-again.ts';
import { write } from '../offline/queue/write.ts';
import { removeOne, writeOne } from '../offline/queue/write-one.ts';
import { baseOf, type NewWrite, type Shown } from '../offline/queue/writes.ts';
import { furtherOf } from '../parts/nutrients.ts';
import { attempt, day, writeAdditions } from '../today/day-store.ts';
import { recentAmount } from './recents.ts';

type Item = SavedMeal['items'][number];
const MACROS = ['calories', 'protein', 'carbs', 'fat'] as const;

/** What a saved meal keeps of an entry: the food with its amount, and its values for when the food is gone. */
export function itemOf(entry: DiaryEntry): Item {
  const { foodName, foodId, recipeId, quantity, unit, fiber, sodium, nutrients, note, unknown } = entry;
  const isComputed = quantity !== undefined && unit !== undefined;
  const known = MACROS.filter((key) => !(unknown as string[] | undefined)?.includes(key));
  const item = {
    foodName,
    ...(isComputed && { foodId, recipeId: foodId === undefined ? recipeId : undefined }),
    ...{ quantity, unit, fiber, sodium, nutrients: furtherOf(nutrients), note },
    ...Object.fromEntries(known.map((key) => [key, entry[key]])),
    // Values of one's own need energy.
    ...(!isComputed && { calories: entry.calories }),
  };
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as Item;
}

/** Writes all foods of a saved meal into a meal of the day that is shown; "Undo" deletes them. */
export function logMeal(to: Diary, mealType: MealType, { items }: SavedMeal): Promise<void> {
  const place = { date: day.peek(), mealType };
  return attempt(to, () =>
    writeAdditions(
      to,
      items.map((item) => additionAgain(entryOf(item, place, to))),
    ),
  );
}

function entryOf(item: Item, place: { date: string; mealType: MealType }, { userId }: Diary): DiaryEntry {
  const unknown = MACROS.filter((key) => item[key] === undefined);
  const now = new Date().toISOString();
  return {
    ...{ calories: 0, protein: 0, carbs: 0, fat: 0 },
    ...item,
    ...place,
    ...(unknown.length > 0 && { unknown: unknown as DiaryEntry['unknown'] }),
    ...{ id: newId(), userId, version: 0, addedMethod: 'manual', createdAt: now, updatedAt: now },
  } as DiaryEntry;
}

/** The energy of all items, where all state it. */
export function energyOfMeal({ items }: SavedMeal): number | undefined {
  return items.some(({ calories }) => calories === undefined)
    ? undefined
    : items.reduce((sum, { calories = 0 }) => sum + calories, 0);
}

/** Saves a meal under a name, or gives a saved one another. Throws what the service refuses. */
export async function saveMeal(
  name: string,
  items: readonly Item[],
  saved?: Shown<SavedMeal>,
): Promise<void> {
  if (saved !== undefined) {
    const base = baseOf(saved);
    const { waiting: _, ...known } = saved;
    await writeOne('meal', {
      ...{ kind: 'meal', id: saved.id, op: 'change', base, body: { name } },
      preview: { ...known, name } as SavedMeal,
    });
    return;
  }
  await writeOne('meal', additionOf('meal', { name, items }));
}

/** "Undo" saves it again. */
export async function removeMeal(saved: Shown<SavedMeal>): Promise<void> {
  const { name, items, id } = saved;
  // A favourite of it would lead nowhere.
  await removeFavourites(favouritesOfMeal(id));
  return removeOne({ kind: 'meal', id, op: 'remove', base: baseOf(saved) }, name, () =>
    additionOf('meal', { name, items }),
  );
}

function additionOf(kind: 'meal' | 'favourite', fields: object): NewWrite {
  const id = newId();
  const now = new Date().toISOString();
  const body = { id, ...fields };
  const rest = { version: 0, userId: person.peek()!.id, createdAt: now, updatedAt: now };
  return { kind, id, op: 'add', body, preview: { ...body, ...rest } };
}

/** The favourites of a food: two devices may have made it one at the same time. */
export function favouritesOf(food: Food): readonly Shown<Favourite>[] {
  const key = keyOf(food);
  return favourites.value.filter((each) => (each.foodId ?? each.recipeId) === key);
}

/** Makes a saved meal a favourite, or takes that back. */
export async function toggleFavouriteMeal({ id, name }: SavedMeal): Promise<void> {
  if (await removeFavourites(favouritesOfMeal(id))) return;
  await writeOne('favourite', additionOf('favourite', { name, mealId: id } satisfies FavouriteInput));
}

export function favouritesOfMeal(mealId: string): readonly Shown<Favourite>[] {
  return favourites.value.filter((each) => each.mealId === mealId);
}

/** Whether there was one. */
async function removeFavourites(known: readonly Shown<Favourite>[]): Promise<boolean> {
  for (const each of known)
    await write([{ kind: 'favourite', id: each.id, op: 'remove', base: baseOf(each) }]);
  return known.length > 0;
}

/** Makes a food or a recipe a favourite, with the amount that was eaten last; or takes that back. */
export async function toggleFavourite(food: Food): Promise<void> {
  if (await removeFavourites(favouritesOf(food))) return;
  const { name, brand } = food;
  const body = {
    ...{ name, ...(brand !== undefined && { brand }) },
    ...{ ...referenceOf(food), ...recentAmount(keyOf(food)) },
  };
  await writeOne('favourite', additionOf('favourite', body satisfies FavouriteInput));
}
