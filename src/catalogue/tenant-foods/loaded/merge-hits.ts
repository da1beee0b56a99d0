import type { Food } from '../../food/food.ts';
import type { ScoredFood } from '../../food/food-finder.ts';

/**
 * Merges lists of hits: always takes the better of the heads, and of equal ones the first in static order. Each list
 * keeps its own order, since an index puts copies of a name at the end whatever their score. So a shorter answer is
 * always the beginning of a longer one.
 */
export function mergeHits(lists: readonly (readonly ScoredFood[])[], limit: number): ScoredFood[] {
  const taken = lists.map(() => 0);
  const merged: ScoredFood[] = [];
  while (merged.length < limit) {
    const next = nextList(lists, taken);
    if (next < 0) break;
    merged.push(lists[next]![taken[next]!++]!);
  }
  return merged;
}

/** The list with the best head, or -1 when all are at their end. */
function nextList(lists: readonly (readonly ScoredFood[])[], taken: readonly number[]): number {
  let next = -1;
  let best: ScoredFood | undefined;
  for (const [at, list] of lists.entries()) {
    const head = list[taken[at]!];
    if (head === undefined || (best !== undefined && !comesBefore(head, best))) continue;
    next = at;
    best = head;
  }
  return next;
}

function comesBefore(a: ScoredFood, b: ScoredFood): boolean {
  return a.score > b.score || (a.score === b.score && inStaticOrder(a.food, b.food) < 0);
}

/** As in a catalogue: most popular first, then the shorter name. */
export function inStaticOrder(a: Food, b: Food): number {
  return b.popularity - a.popularity || a.name.length - b.name.length || (a.id < b.id ? -1 : 1);
}
