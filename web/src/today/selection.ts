import { computed, effect, signal } from '@preact/signals';
import type { MealType } from 'larder-client';
import { diary } from '../diary/shown-diary.ts';
import type { ShownEntry } from '../offline/queue/writes.ts';
import { day, entries } from './day-store.ts';

/** Whether a tap ticks an entry instead of opening it. */
export const isSelecting = signal(false);
const ids = signal<ReadonlySet<string>>(new Set());

export const selected = computed(() => (entries.value ?? []).filter(({ id }) => ids.value.has(id)));

/** The meal whose menu is open. */
export const mealMenu = signal<MealType | undefined>(undefined);
/** Entries that are being moved or copied; undefined while that dialog is closed. */
export const placing = signal<readonly ShownEntry[] | undefined>(undefined);

effect(() => {
  if (day.value === '' || diary.value === undefined) return;
  placing.value = undefined;
  endSelecting();
});

export function startSelecting(): void {
  ids.value = new Set();
  isSelecting.value = true;
}

export function endSelecting(): void {
  ids.value = new Set();
  isSelecting.value = false;
}

export function isSelected(id: string): boolean {
  return ids.value.has(id);
}

export function select(id: string, is: boolean): void {
  const others = [...ids.value].filter((each) => each !== id);
  ids.value = new Set(is ? [...others, id] : others);
}
