import { computed, effect, signal, untracked } from '@preact/signals';
import { type DiaryEntry, type DiaryEntryInput, type Food, LarderError, type MealType } from 'larder-client';
import { isLeaving, loadPeople, person } from '../account/session.ts';
import { type Day, fullDateOf, isDay, shifted, today } from '../days.ts';
import type { Diary } from '../diary/diary.ts';
import { diary } from '../diary/shown-diary.ts';
import { larder } from '../larder.ts';
import { isReached } from '../offline/device.ts';
import { type DaySums, sumsOf } from '../offline/entries/day-sums.ts';
import { previewOf } from '../offline/entries/previews.ts';
import { additionAgain } from '../offline/queue/addition-again.ts';
import { refusalOf } from '../offline/queue/write.ts';
import type { NewWrite, ShownEntry } from '../offline/queue/writes.ts';
import { pause } from '../parts/pause.ts';
import { problemOf } from '../parts/problem.ts';
import { begin, dismiss, tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { placeOf } from './eaten-at.ts';

/** The day that is shown, of the diary that is shown. */
export const day = signal<Day>(today());
/** Its entries, with writes that the service does not have yet, and sums; undefined until they are read. */
export const entries = signal<readonly ShownEntry[] | undefined>(undefined);
export const totals = signal<DaySums | undefined>(undefined);
export const problem = signal<string | undefined>(undefined);
/** Entries of the day before; undefined where this device does not keep it. */
const dayBefore = signal<readonly ShownEntry[] | undefined>(undefined);

/** After so long without a change of the local copy its sums are compared with those of the service. */
const SETTLED_MS = 300;

/** Shows a day, unless it lies outside of those that the page knows. */
export function showDay(wanted: Day): void {
  if (isDay(wanted)) day.value = wanted;
}

/** Reads of an earlier day, or from before a later write, are dropped. */
let latest = 0;
/** The entries of a day that this device does not keep, as they were read last. */
let old: { readonly userId: string; readonly day: Day; readonly entries: readonly DiaryEntry[] } | undefined;

const personId = computed(() => person.value?.id);

// What one person did is not undone by another.
effect(() => {
  if (personId.value !== undefined) dismiss();
});

effect(() => {
  if (diary.value === undefined) return;
  const shown = day.value;
  entries.value = undefined;
  totals.value = undefined;
  dayBefore.value = undefined;
  problem.value = undefined;
  untracked(() => void load(shown));
});

effect(() => {
  const changes = diary.value?.changes.value ?? 0;
  if (changes > 0) untracked(() => void load());
});

/** Shows a day: as this device knows it at once, then by the service. */
export async function load(shown: Day = day.peek()): Promise<void> {
  const read = ++latest;
  const of = diary.peek();
  if (of === undefined) return;
  const { userId } = of;
  const [kept, keptBefore] = await Promise.all([of.kept(shown), of.kept(shifted(shown, -1))]);
  if (read === latest) dayBefore.value = keptBefore;
  const before = old?.day === shown && old.userId === userId ? old.entries : undefined;
  if (kept !== undefined) await show(read, of, shown, kept);
  else if (before !== undefined) await show(read, of, shown, await of.withWaiting(shown, before));
  // A write changes the local copy more than once; the service is asked once.
  if (kept !== undefined) await pause(SETTLED_MS);
  // Without a session the service would refuse; after signing in the day is read again.
  if (read !== latest || isLeaving.peek() || person.peek() === null || diary.peek() !== of) return;
  try {
    const { diary: service } = larder.user(userId);
    const options = { maxRetries: 0 };
    const [all, sums] = await Promise.all([
      kept === undefined ? service.list({ date: shown }, options).all() : undefined,
      service.totals({ date: shown, remaining: true }, options),
    ]);
    if (read !== latest) return;
    if (all !== undefined) {
      old = { userId, day: shown, entries: all };
      await show(read, of, shown, await of.withWaiting(shown, all));
    }
    // What waits is in the sums of this device only.
    if (read === latest && entries.peek()?.some(({ waiting }) => waiting !== undefined) === false)
      totals.value = sums;
    problem.value = undefined;
    isReached.value = true;
  } catch (error) {
    if (read !== latest) return;
    if (error instanceof LarderError && error.code === 'connection_failed') isReached.value = false;
    // Who no longer shares the diary is no longer offered.
    if (error instanceof LarderError && error.code === 'forbidden') loadPeople().catch(() => {});
    const text = problemOf(error);
    problem.value = entries.peek() === undefined ? text : undefined;
  }
}

/** Whether a meal of the day before has something to copy, as far as this device knows. */
export function mayCopyYesterday(meal: MealType): boolean {
  return dayBefore.value === undefined || dayBefore.value.some(({ mealType }) => mealType === meal);
}

/** Reads a day of a diary: from this device, where it has it. */
export async function entriesAt(of: Diary, date: Day): Promise<readonly ShownEntry[]> {
  return (await of.kept(date)) ?? (await larder.user(of.userId).diary.list({ date }).all());
}

/** Shows entries and their sums. */
async function show(read: number, of: Diary, shown: Day, all: readonly ShownEntry[]): Promise<void> {
  const goals = await of.goals(shown);
  if (read !== latest) return;
  entries.value = all;
  totals.value = sumsOf(all, goals ?? totals.peek()?.goals);
}

type WithoutPlace<Entry> = Entry extends unknown ? Omit<Entry, 'date' | 'mealType'> : never;
/** An entry without its day and meal. With `food` it is shown before the service has computed it. */
export type NewFood = WithoutPlace<DiaryEntryInput> & { readonly food?: Food | undefined };

/**
 * Writes foods into a meal of the day that is shown; "Undo" deletes them. Where the service cannot be reached, those of the own diary
 * are kept and sent later. Throws what refuses all of them.
 */
export async function add(to: Diary, mealType: MealType, foods: readonly NewFood[]): Promise<void> {
  const place = { date: day.peek(), mealType };
  const added = await Promise.all(
    foods.map(({ food, ...input }) => additionOf(to, { ...place, ...input } as DiaryEntryInput, food)),
  );
  await writeAdditions(to, added);
}

/** Copies a meal of another day of a diary, the day before by default, to the day that is shown. */
export async function copyMeal(
  to: Diary,
  mealType: MealType,
  from: Day = shifted(day.peek(), -1),
): Promise<void> {
  await attempt(to, async () => {
    const copied = (await entriesAt(to, from)).filter((entry) => entry.mealType === mealType);
    if (copied.length === 0) return tell(texts.peek().offline.nothingToCopy);
    await writeAdditions(
      to,
      copied.map((entry) => additionAgain({ ...entry, ...placeOf(entry, { date: day.peek(), mealType }) })),
    );
  });
}

/** "Undo" deletes them. Throws what refuses all of them. */
export async function writeAdditions(to: Diary, additions: readonly NewWrite[]): Promise<void> {
  const tellDone = begin();
  if (additions.length === 0) return;
  const taken = await to.write(additions);
  const refused = taken.left.filter(({ state }) => state !== 'waiting');
  if (refused.length === additions.length && refused.length > 0) {
    await taken.discard();
    throw refusalOf(refused);
  }
  const say = refused.length === 0 ? tellDone : tell;
  say(textOfAdded(additions, additions.length - refused.length), () =>
    attempt(to, async () => {
      if (await taken.cancel()) return;
      await to.write(additions.map(({ id }) => ({ kind: 'entry', id, op: 'remove' })));
    }),
  );
}

/** Says what was added; the day too, where it is not the one that is shown. */
function textOfAdded(additions: readonly NewWrite[], count: number): string {
  const { foodName, date } = additions[0]!.preview as DiaryEntry;
  const { added, addedCount, addedTo, addedCountTo } = texts.peek();
  const isSingle = additions.length === 1;
  if (date === day.peek()) return isSingle ? added(foodName) : addedCount(count);
  return isSingle ? addedTo(foodName, fullDateOf(date)) : addedCountTo(count, fullDateOf(date));
}

async function additionOf(to: Diary, input: DiaryEntryInput, food?: Food): Promise<NewWrite> {
  const id = to.idFor(input);
  const preview = previewOf(id, to.userId, input, await to.known(input, food));
  return { kind: 'entry', id, op: 'add', body: { ...input, id }, preview };
}

/** Tells what goes wrong. */
export async function attempt(to: Diary, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    tell(to.problemOf(error));
  }
}
