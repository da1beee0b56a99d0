import type { DiaryEntry, DiaryEntryPatch, MealType, ScannedItemInput } from 'larder-client';
import { person } from '../account/session.ts';
import type { Day } from '../days.ts';
import { larder } from '../larder.ts';
import { local } from '../offline/device.ts';
import { knownFoods } from '../offline/entries/local-foods.ts';
import { previewOfChange } from '../offline/entries/previews.ts';
import { additionAgain } from '../offline/queue/addition-again.ts';
import { refusalOf, write } from '../offline/queue/write.ts';
import { baseOf, type NewWrite, type ShownEntry } from '../offline/queue/writes.ts';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { attempt, day, load, writeAdditions } from './day-store.ts';

export interface Place {
  readonly date: Day;
  readonly mealType: MealType;
}

/** Changes entries alike; "Undo" gives each the values that it had. */
export async function changeAll(all: readonly ShownEntry[], patch: DiaryEntryPatch): Promise<void> {
  await attempt(async () => {
    const taken = await write(await Promise.all(all.map((entry) => changeOf(entry, patch))));
    const refusal = refusalOf(taken.left);
    const { changed, changedCount } = texts.peek();
    const text = all.length === 1 ? changed : changedCount(all.length);
    tell(refusal === undefined ? text : problemOf(refusal), async () => {
      if (await taken.cancel()) return;
      await write(await Promise.all(all.map((entry) => changeBack(entry, patch))));
    });
  });
}

/** Deletes entries; "Undo" writes them again, as they were. */
export async function removeAll(all: readonly ShownEntry[]): Promise<void> {
  await attempt(async () => {
    const taken = await write(
      all.map((entry) => ({ kind: 'entry', id: entry.id, op: 'remove', base: baseOf(entry) })),
    );
    const { deleted, deletedCount } = texts.peek();
    tell(all.length === 1 ? deleted(all[0]!.foodName) : deletedCount(all.length), async () => {
      if (!(await taken.cancel())) await write(all.map(additionAgain));
    });
  });
}

/** Writes the same entries to another place. */
export async function copyAll(all: readonly ShownEntry[], place: Place): Promise<void> {
  await attempt(() => writeAdditions(all.map((entry) => additionAgain({ ...entry, ...place }))));
}

/** Writes items of a scan into a meal of the day that is shown. */
export async function addScan(
  mealType: MealType,
  scanJobId: string,
  items: readonly ScannedItemInput[],
): Promise<void> {
  const { diary } = larder.user(person.peek()!.id);
  const added = await diary.add({ date: day.peek(), mealType, scanJobId, items: [...items] });
  await load();
  const { added: one, addedCount } = texts.peek();
  tell(added.length === 1 ? one(added[0]!.foodName) : addedCount(added.length), async () => {
    await write(added.map((entry) => ({ kind: 'entry', id: entry.id, op: 'remove', base: entry })));
  });
}

async function changeOf(entry: ShownEntry, patch: DiaryEntryPatch): Promise<NewWrite> {
  const preview = previewOfChange(entry, patch, await knownFoods(entry));
  return { kind: 'entry', id: entry.id, op: 'change', base: baseOf(entry), body: patch, preview };
}

/** The change that takes a change back, of the entry as it is meanwhile. */
async function changeBack(before: ShownEntry, patch: DiaryEntryPatch): Promise<NewWrite> {
  const kept = await local()
    .copy.find<DiaryEntry>('entry', before.id)
    .catch(() => undefined);
  const base = kept ?? (await larder.user(person.peek()!.id).diary.get(before.id));
  const body = Object.fromEntries(
    Object.keys(patch).map((key) => [key, before[key as keyof DiaryEntry] ?? null]),
  );
  return { kind: 'entry', id: before.id, op: 'change', base, body, preview: { ...base, ...before } };
}
