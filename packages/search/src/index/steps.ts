/**
 * Work divided into small steps, so that a thread can do other work between them. A step covers about a thousand
 * words or documents, well below a millisecond.
 */
export type Steps<Result> = Generator<void, Result, void>;

/** Maximum items of one step. */
export const STEP = 1024;
/** Maximum documents of one step: each may have thousands of words. */
const DOCUMENT_STEP = 32;

/** Runs all steps without a pause. */
export function runAll<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Calls `visit` for 0 to `count` (excluded), in steps of `size`. */
export function* forEachInSteps(
  count: number,
  visit: (at: number) => void,
  size: number = STEP,
): Steps<void> {
  for (let from = 0; from < count; from += size) {
    visitRange(from, Math.min(count, from + size), visit);
    yield;
  }
}

export function forEachDocument(count: number, visit: (document: number) => void): Steps<void> {
  return forEachInSteps(count, visit, DOCUMENT_STEP);
}

/** This loop is outside the generator, so that it compiles to a plain loop. */
function visitRange(from: number, to: number, visit: (at: number) => void): void {
  for (let at = from; at < to; at++) visit(at);
}

type Comparison<T> = (a: T, b: T) => number;

/** Merges sorted lists. */
export function* mergeInSteps<T>(lists: readonly (readonly T[])[], compare: Comparison<T>): Steps<T[]> {
  let left: (readonly T[])[] = [...lists];
  while (left.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < left.length; at += 2) {
      merged.push(yield* mergeTwo(left[at]!, left[at + 1] ?? [], compare));
    }
    left = merged;
  }
  return [...(left[0] ?? [])];
}

function* mergeTwo<T>(a: readonly T[], b: readonly T[], compare: Comparison<T>): Steps<T[]> {
  const merged: T[] = [];
  let atA = 0;
  let atB = 0;
  while (atA < a.length || atB < b.length) {
    const end = Math.min(a.length + b.length, merged.length + STEP);
    while (merged.length < end) {
      const takesA = atB === b.length || (atA < a.length && compare(a[atA]!, b[atB]!) <= 0);
      merged.push(takesA ? a[atA++]! : b[atB++]!);
    }
    yield;
  }
  return merged;
}

/** Sorts stably in steps. */
export function* sortInSteps<T>(items: readonly T[], compare: Comparison<T>): Steps<T[]> {
  const runs: T[][] = [];
  for (let at = 0; at < items.length; at += STEP) {
    runs.push(items.slice(at, at + STEP).sort(compare));
    yield;
  }
  return yield* mergeInSteps(runs, compare);
}
