import type { DiaryEntry, DiaryEntryPatch, MealType, ScannedItemInput } from 'larder-client';
import { fullDateOf } from '../days.ts';
import type { Diary } from '../diary/diary.ts';
import { larder } from '../larder.ts';
import { previewOfChange } from '../offline/entries/previews.ts';
import { additionAgain } from '../offline/queue/addition-again.ts';
import { refusalOf } from '../offline/queue/write.ts';
import { baseOf, type NewWrite, type ShownEntry } from '../offline/queue/writes.ts';
import { begin, tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { attempt, day, load, writeAdditions } from './day-store.ts';
import { type Place, placeOf } from './eaten-at.ts';
import { focusMeal } from './meal-focus.ts';

/** Changes entries alike; "Undo" gives each the values that it had. Throws what refuses all of them. */
export async function changeAll(
  to: Diary,
  all: readonly ShownEntry[],
  patch: DiaryEntryPatch,
): Promise<void> {
  const { changed, changedCount } = texts.peek();
  await changeEach(to, all, () => patch, all.length === 1 ? changed : changedCount(all.length));
}

/** Moves entries to another place, each with its time of day; "Undo" moves them back. Throws what refuses all of them. */
export async function moveAll(to: Diary, all: readonly ShownEntry[], place: Place): Promise<void> {
  if (place.date === day.peek()) return changeAll(to, all, place);
  const { movedTo, movedCountTo } = texts.peek();
  const date = fullDateOf(place.date);
  const text = all.length === 1 ? movedTo(all[0]!.foodName, date) : movedCountTo(all.length, date);
  await changeEach(to, all, (entry) => placeOf(entry, place), text);
}

/** `text` says what was done. */
async function changeEach(
  to: Diary,
  all: readonly ShownEntry[],
  patchFor: (entry: ShownEntry) => DiaryEntryPatch,
  text: string,
): Promise<void> {
  const tellDone = begin();
  const taken = await to.write(await Promise.all(all.map((entry) => changeOf(to, entry, patchFor(entry)))));
  const refusal = refusalOf(taken.left);
  const say = refusal === undefined ? tellDone : tell;
  say(refusal === undefined ? text : to.problemOf(refusal), () =>
    attempt(to, async () => {
      if (await taken.cancel()) return;
      await to.write(await Promise.all(all.map((entry) => changeBack(to, entry, patchFor(entry)))));
    }),
  );
}

/** Deletes entries; "Undo" writes them again, as they were. Throws what refuses all of them. */
export async function removeAll(to: Diary, all: readonly ShownEntry[]): Promise<void> {
  const tellDone = begin();
  const taken = await to.write(
    all.map((entry) => ({ kind: 'entry', id: entry.id, op: 'remove', base: baseOf(entry) })),
  );
  // Refused deletions of the own diary are set aside, and the page says so.
  const refusal = to.isKept ? undefined : refusalOf(taken.left);
  const gone = all.filter(({ id }) => refusal === undefined || taken.left.every((left) => left.id !== id));
  const { deleted, deletedCount } = texts.peek();
  const text = all.length === 1 ? deleted(all[0]!.foodName) : deletedCount(gone.length);
  const say = refusal === undefined ? tellDone : tell;
  say(refusal === undefined ? text : to.problemOf(refusal), () => {
    // "Undo" goes at once.
    focusMeal(all[0]?.mealType);
    return attempt(to, async () => {
      if (!(await taken.cancel())) await to.write(gone.map(additionAgain));
    });
  });
}

/** Writes the same entries to another place. Throws what refuses all of them. */
export async function copyAll(to: Diary, all: readonly ShownEntry[], place: Place): Promise<void> {
  await writeAdditions(
    to,
    all.map((entry) => additionAgain({ ...entry, ...placeOf(entry, place) })),
  );
}

/** Writes items of a scan into a meal of the day that is shown. */
export async function addScan(
  to: Diary,
  mealType: MealType,
  scanJobId: string,
  items: readonly ScannedItemInput[],
): Promise<void> {
  const tellDone = begin();
  const { diary } = larder.user(to.userId);
  const added = await diary.add({ date: day.peek(), mealType, scanJobId, items: [...items] });
  await load();
  const { added: one, addedCount } = texts.peek();
  tellDone(added.length === 1 ? one(added[0]!.foodName) : addedCount(added.length), () =>
    attempt(to, async () => {
      await to.write(added.map((entry) => ({ kind: 'entry', id: entry.id, op: 'remove', base: entry })));
    }),
  );
}

async function changeOf(to: Diary, entry: ShownEntry, patch: DiaryEntryPatch): Promise<NewWrite> {
  const preview = previewOfChange(entry, patch, await to.known(entry));
  return { kind: 'entry', id: entry.id, op: 'change', base: baseOf(entry), body: patch, preview };
}

/** The change that takes a change back, of the entry as it is meanwhile. */
async function changeBack(to: Diary, before: ShownEntry, patch: DiaryEntryPatch): Promise<NewWrite> {
  const base = await to.find(before.id);
  const unknown: readonly string[] = before.unknown ?? [];
  const body = Object.fromEntries(
    Object.keys(patch).map((key) => [
      key,
      unknown.includes(key) ? null : (before[key as keyof DiaryEntry] ?? null),
    ]),
  );
  return { kind: 'entry', id: before.id, op: 'change', base, body, preview: { ...base, ...before } };
}
