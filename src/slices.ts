import { setImmediate as nextTurn } from 'node:timers/promises';

/** Entries that a thread reads or writes without a pause: two to three milliseconds. */
export const SLICE_ENTRIES = 500;
/** Recipes, which have up to 100 ingredients each: up to five milliseconds. */
export const SLICE_RECIPES = 10;

/** The items in slices. The thread does its other work, such as other requests, before each slice but the first. */
export async function* slicesOf<T>(items: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) {
    if (at > 0) await nextTurn();
    yield items.slice(at, at + size);
  }
}
