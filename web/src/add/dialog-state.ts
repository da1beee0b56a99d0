import { computed, effect, signal } from '@preact/signals';
import type { AddedMethod, Food, FoodInput, MealType } from 'larder-client';
import { person } from '../account/session.ts';
import type { Day } from '../days.ts';
import type { Diary } from '../diary/diary.ts';
import { diary } from '../diary/shown-diary.ts';
import { keep, keptAs } from '../parts/kept.ts';
import { locale } from '../texts/texts.ts';
import { day } from '../today/day-store.ts';
import { query } from './query.ts';
import { NO_EDITS, type ReadEdits, readEdits } from './read-row.ts';
import { loadRecents, loadYesterday } from './recents.ts';
import { isTicking, type Ticked, ticked } from './ticked.ts';

/** What the dialog shows. Amounts are as they were typed. */
export type Step =
  | { readonly kind: 'find' }
  | {
      readonly kind: 'amount';
      readonly food: Food;
      readonly quantity: string;
      readonly unit: string;
      readonly method?: AddedMethod | undefined;
    }
  | { readonly kind: 'quick' }
  | { readonly kind: 'camera' }
  | { readonly kind: 'photo' }
  | { readonly kind: 'food'; readonly initial: Partial<FoodInput> };

/** What is kept of a dialog that was left. */
interface AddDraft {
  readonly meal: MealType;
  readonly day: Day;
  readonly query: string;
  readonly step: Step;
  readonly ticked: readonly Ticked[];
  readonly edits?: ReadEdits;
}

const FIND: Step = { kind: 'find' };

/** The meal that is added to; undefined while the dialog is closed. */
export const meal = signal<MealType | undefined>(undefined);
/** The diary that is added to, which stays the same while the dialog is open. */
export const target = signal<Diary | undefined>(undefined);
export const step = signal<Step>(FIND);
/** A dialog that was closed before its content was added. */
export const left = signal<AddDraft | undefined>(undefined);

const personId = computed(() => person.value?.id);
/** Who was at work in the dialog last. */
let lastId: string | undefined;

effect(() => {
  const id = personId.value;
  if (id === undefined || diary.value === undefined) return;
  // The dialog stays open while its person signs in again, but not for another person.
  const isOthers = lastId !== undefined && lastId !== id;
  lastId = id;
  if (isOthers) meal.value = undefined;
  if (meal.peek() !== undefined) return;
  target.value = diary.value;
  step.value = FIND;
  query.value = '';
  ticked.value = [];
  isTicking.value = false;
  readEdits.value = NO_EDITS;
  left.value = keptAs<AddDraft>(draftName('add'));
});

// Amounts that were typed in another language are written as this one does.
effect(() => {
  if (locale.value !== '' && meal.peek() === undefined) left.value = keptAs<AddDraft>(draftName('add'));
});

effect(() => {
  if (meal.value === undefined) return;
  const draft = {
    meal: meal.value,
    day: day.peek(),
    query: query.value,
    step: step.value,
    ticked: ticked.value,
    edits: readEdits.value,
  };
  // Nobody is signed in while a session has expired; the draft of the person stays as it is.
  if (person.peek() !== null) keep(draftName('add'), isWorthKeeping(draft) ? draft : undefined);
});

/** Whether the next `popstate` event was caused by this file. */
let isGoingBack = false;

// A page that is loaded again begins without the dialog that was open.
if (history.state?.isAdding === true) history.replaceState(null, '');

addEventListener('popstate', ({ state }) => {
  const isOwn = isGoingBack;
  isGoingBack = false;
  if (meal.peek() === undefined || state?.isAdding === true) return;
  // The dialog was opened again before the way back of the last one was gone.
  if (isOwn) history.pushState({ isAdding: true }, '');
  else leave();
});

/** The name of a draft of this dialog, which is for one diary. */
export function draftName(name: string): string {
  const to = target.peek();
  return to === undefined || to.isKept ? name : `${name}/${to.userId}`;
}

export function openAdd(to: MealType, first: Step = FIND): void {
  const shown = diary.peek()!;
  target.value = shown;
  step.value = first;
  meal.value = to;
  left.value = undefined;
  // Foods that were ticked before stay; the choice of several without any does not.
  isTicking.value = ticked.peek().length > 0;
  // Back closes the dialog, not the page.
  history.pushState({ isAdding: true }, '');
  void loadRecents(shown);
  void loadYesterday(shown, to);
}

/** Goes on where a dialog was left. */
export function goOn(draft: AddDraft): void {
  day.value = draft.day;
  query.value = draft.query;
  ticked.value = draft.ticked;
  readEdits.value = draft.edits ?? NO_EDITS;
  openAdd(draft.meal, draft.step);
}

export function discardLeft(): void {
  left.value = undefined;
  ticked.value = [];
  readEdits.value = NO_EDITS;
  query.value = '';
  keep(draftName('add'), undefined);
}

/** Closes the dialog; what is in it is kept and offered again. */
export function closeAdd(): void {
  if (meal.peek() === undefined) return;
  leave();
  if (history.state?.isAdding !== true) return;
  isGoingBack = true;
  history.back();
}

/** Closes at the person's request: a food that was only chosen is dropped, typed text is kept. */
export function dismissAdd(): void {
  const hasChosenOnly = step.peek().kind === 'amount' && ticked.peek().length === 0;
  if (hasChosenOnly) finishAdd();
  else closeAdd();
}

/** Closes after everything was written. */
export function finishAdd(): void {
  step.value = FIND;
  discardLeft();
  isTicking.value = false;
  closeAdd();
}

function leave(): void {
  meal.value = undefined;
  left.value = keptAs<AddDraft>(draftName('add'));
}

/** Words in the field alone are no work that could be lost; the field keeps them. */
function isWorthKeeping({ step, ticked, query }: AddDraft): boolean {
  return ticked.length > 0 || (step.kind !== 'find' && step.kind !== 'camera') || query.trim().includes(' ');
}
