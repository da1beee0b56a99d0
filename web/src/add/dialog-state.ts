import { effect, signal } from '@preact/signals';
import type { AddedMethod, Food, FoodInput, MealType } from 'larder-client';
import { person } from '../account/session.ts';
import type { Day } from '../days.ts';
import { keep, keptAs } from '../parts/kept.ts';
import { day } from '../today/day-store.ts';
import { query } from './found.ts';
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
}

const DRAFT = 'add';
const FIND: Step = { kind: 'find' };

/** The meal that is added to; undefined while the dialog is closed. */
export const meal = signal<MealType | undefined>(undefined);
export const step = signal<Step>(FIND);
/** A dialog that was left without adding what was chosen or written in it. */
export const left = signal<AddDraft | undefined>(undefined);

effect(() => {
  if (person.value === null || person.value === undefined) return;
  left.value = meal.peek() === undefined ? keptAs<AddDraft>(DRAFT) : undefined;
});

effect(() => {
  if (meal.value === undefined) return;
  const draft = {
    meal: meal.value,
    day: day.peek(),
    query: query.value,
    step: step.value,
    ticked: ticked.value,
  };
  // Nobody is signed in while a session has expired; the draft of the person stays as it is.
  if (person.peek() !== null) keep(DRAFT, isWorthKeeping(draft) ? draft : undefined);
});

/** Whether this file asked for the way back that is to come. */
let isGoingBack = false;

addEventListener('popstate', ({ state }) => {
  const isOwn = isGoingBack;
  isGoingBack = false;
  if (meal.peek() === undefined || state?.isAdding === true) return;
  // The dialog was opened again before the way back of the last one was gone.
  if (isOwn) history.pushState({ isAdding: true }, '');
  else leave();
});

export function openAdd(to: MealType, first: Step = FIND): void {
  step.value = first;
  meal.value = to;
  left.value = undefined;
  // Back closes the dialog, not the page.
  history.pushState({ isAdding: true }, '');
  void loadRecents();
  void loadYesterday(to);
}

/** Goes on where a dialog was left. */
export function goOn(draft: AddDraft): void {
  day.value = draft.day;
  query.value = draft.query;
  ticked.value = draft.ticked;
  isTicking.value = draft.ticked.length > 0;
  openAdd(draft.meal, draft.step);
}

export function discardLeft(): void {
  left.value = undefined;
  ticked.value = [];
  query.value = '';
  keep(DRAFT, undefined);
}

/** Closes the dialog; what is in it is kept and offered again. */
export function closeAdd(): void {
  if (meal.peek() === undefined) return;
  leave();
  if (history.state?.isAdding !== true) return;
  isGoingBack = true;
  history.back();
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
  left.value = keptAs<AddDraft>(DRAFT);
}

/** Words in the field alone are no work that could be lost; the field keeps them. */
function isWorthKeeping({ step, ticked, query }: AddDraft): boolean {
  return ticked.length > 0 || (step.kind !== 'find' && step.kind !== 'camera') || query.trim().includes(' ');
}
