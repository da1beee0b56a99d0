import { computed, effect, signal, untracked } from '@preact/signals';
import {
  type DailyTotals,
  type DiaryBatchEntry,
  type DiaryEntry,
  type Food,
  type Goals,
  LarderError,
  type MealType,
} from 'larder-client';
import { beforeLeaving, person } from '../account/session.ts';
import { type Day, shifted, today } from '../days.ts';
import { larder } from '../larder.ts';
import { changeCount, isReached, local } from '../offline/device.ts';
import { goalsOn, sumsOf } from '../offline/entries/day-sums.ts';
import { knownFoods } from '../offline/entries/local-foods.ts';
import { previewOf } from '../offline/entries/previews.ts';
import { newId } from '../offline/ids.ts';
import { hasDays } from '../offline/own-lists.ts';
import { additionAgain } from '../offline/queue/addition-again.ts';
import { refusalOf, write } from '../offline/queue/write.ts';
import type { NewWrite, ShownEntry } from '../offline/queue/writes.ts';
import { pause } from '../parts/pause.ts';
import { problemOf } from '../parts/problem.ts';
import { dismiss, tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';

/** The day that is shown. */
export const day = signal<Day>(today());
/** Its entries, with writes that the service does not have yet, and sums; undefined until they are read. */
export const entries = signal<readonly ShownEntry[] | undefined>(undefined);
export const totals = signal<DailyTotals | undefined>(undefined);
export const problem = signal<string | undefined>(undefined);

/** After so long without a change of the local copy its sums are compared with those of the service. */
const SETTLED_MS = 300;

/** Reads of an earlier day, or from before a later write, are dropped. */
let latest = 0;
/** The entries of a day that the local copy does not keep, as they were read last. */
let old: { readonly userId: string; readonly day: Day; readonly entries: readonly DiaryEntry[] } | undefined;

/** While the session is being ended the service is not asked. */
let isLeaving = false;
beforeLeaving.push(async () => {
  isLeaving = true;
});

const shownUserId = computed(() => person.value?.id);

// What one person did is not undone by another.
effect(() => {
  if (shownUserId.value !== undefined) dismiss();
});

effect(() => {
  if (shownUserId.value === undefined) return;
  isLeaving = false;
  const shown = day.value;
  entries.value = undefined;
  totals.value = undefined;
  untracked(() => void load(shown));
});

effect(() => {
  if (changeCount.value === 0) return;
  untracked(() => {
    if (shownUserId.value !== undefined) void load();
  });
});

/** Shows a day: as this device knows it at once, then by the service. */
export async function load(shown: Day = day.peek()): Promise<void> {
  const read = ++latest;
  const userId = shownUserId.peek()!;
  const isKept = await hasDays(shown);
  const before = old?.day === shown && old.userId === userId ? old.entries : undefined;
  if (isKept || before !== undefined) await show(read, shown, isKept ? undefined : before);
  // A write changes the local copy more than once; the service is asked once.
  if (isKept) await pause(SETTLED_MS);
  if (read !== latest || isLeaving || shownUserId.peek() !== userId) return;
  try {
    const { diary } = larder.user(userId);
    const options = { maxRetries: 0 };
    const [all, sums] = await Promise.all([
      isKept ? undefined : diary.list({ date: shown }, options).all(),
      diary.totals({ date: shown, remaining: true }, options),
    ]);
    if (read !== latest) return;
    if (all !== undefined) {
      old = { userId, day: shown, entries: all };
      await show(read, shown, all);
    }
    // What waits is in the sums of this device only.
    if (read === latest && entries.peek()?.some(({ waiting }) => waiting !== undefined) === false)
      totals.value = sums;
    problem.value = undefined;
    isReached.value = true;
  } catch (error) {
    if (read !== latest) return;
    if (error instanceof LarderError && error.code === 'connection_failed') isReached.value = false;
    const text = problemOf(error);
    problem.value = entries.peek() === undefined ? text : undefined;
  }
}

/** Reads a day: from this device, where it has it. */
export async function entriesAt(date: Day): Promise<readonly ShownEntry[]> {
  if (await hasDays(date)) return local().copy.entriesOf(date);
  return larder.user(shownUserId.peek()!).diary.list({ date }).all();
}

/** Shows entries with what waits, and their sums; those of the local copy unless others are given. */
async function show(read: number, shown: Day, known?: readonly DiaryEntry[]): Promise<void> {
  const { copy } = local();
  let all: readonly ShownEntry[] | undefined = known;
  let goals: readonly Goals[] | undefined;
  try {
    [all, goals] = await Promise.all([
      known === undefined ? copy.entriesOf(shown) : copy.withWaiting('entry', known),
      copy.goals(),
    ]);
  } catch {
    // Without its database the page shows what the service answers.
  }
  if (read !== latest || all === undefined) return;
  all = all.filter(({ date }) => date === shown);
  entries.value = all;
  totals.value = sumsOf(all, goalsOn(goals, shown) ?? totals.peek()?.goals);
}

type WithoutPlace<Entry> = Entry extends unknown ? Omit<Entry, 'date' | 'mealType'> : never;
/** An entry without its day and meal. With `food` it is shown before the service has computed it. */
export type NewFood = WithoutPlace<DiaryBatchEntry> & { readonly food?: Food | undefined };

/**
 * Writes foods into a meal of the day that is shown; "Undo" deletes them. Where the service cannot be reached, they are kept and
 * sent later. Throws the refusal of the service if it takes none of them.
 */
export async function add(mealType: MealType, foods: readonly NewFood[]): Promise<void> {
  const place = { date: day.peek(), mealType };
  const added = await Promise.all(
    foods.map(({ food, ...input }) => additionOf({ ...place, ...input } as DiaryBatchEntry, food)),
  );
  await writeAdditions(added);
}

/** Copies a meal of another day, the day before by default, to the day that is shown. */
export async function copyMeal(mealType: MealType, from: Day = shifted(day.peek(), -1)): Promise<void> {
  await attempt(async () => {
    const copied = (await entriesAt(from)).filter((entry) => entry.mealType === mealType);
    if (copied.length === 0) return tell(texts.peek().offline.nothingToCopy);
    await writeAdditions(copied.map((entry) => additionAgain({ ...entry, date: day.peek() })));
  });
}

/** "Undo" deletes them. Throws the refusal of the service if it takes none of them. */
export async function writeAdditions(additions: readonly NewWrite[]): Promise<void> {
  const taken = await write(additions);
  const refused = taken.left.filter(({ state }) => state !== 'waiting');
  if (refused.length === additions.length && refused.length > 0) {
    await taken.discard();
    throw refusalOf(refused);
  }
  const names = additions.map(({ preview }) => (preview as DiaryEntry).foodName);
  const { added: one, addedCount } = texts.peek();
  tell(names.length === 1 ? one(names[0]!) : addedCount(names.length - refused.length), async () => {
    if (await taken.cancel()) return;
    await write(additions.map(({ id }) => ({ kind: 'entry', id, op: 'remove' })));
  });
}

async function additionOf(input: DiaryBatchEntry, food?: Food): Promise<NewWrite> {
  const id = newId();
  const preview = previewOf(id, shownUserId.peek()!, input, await knownFoods(input, food));
  return { kind: 'entry', id, op: 'add', body: { ...input, id }, preview };
}

/** Tells what goes wrong. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    tell(problemOf(error));
  }
}
