import type { DiaryEntry, MealType, ScannedItemInput } from 'larder-client';
import { person } from '../account/session.ts';
import { larder } from '../larder.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { day, load } from './day-store.ts';

/** Writes items of a scan into a meal of the day that is shown. */
export async function addScan(
  mealType: MealType,
  scanJobId: string,
  items: readonly ScannedItemInput[],
): Promise<void> {
  const added = await diary().add({ date: day.peek(), mealType, scanJobId, items: [...items] });
  await load();
  tellAdded(added);
}

function tellAdded(added: readonly DiaryEntry[]): void {
  const { added: one, addedCount } = texts.peek();
  tell(added.length === 1 ? one(added[0]!.foodName) : addedCount(added.length), async () => {
    await Promise.all(added.map(({ id }) => diary().remove(id)));
    await load();
  });
}

function diary() {
  return larder.user(person.peek()!.id).diary;
}
