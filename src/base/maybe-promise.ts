import { OutageError } from '@larder/core/errors.ts';

/** A value that is usually there at once: on hot paths a needless promise costs more than the work itself. */
export type MaybePromise<T> = T | Promise<T>;

/** Like `then`, but calls `next` at once where the value is there already. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Runs `work` and turns what it throws into a rejection, so that callers need to handle failures in one way only. */
export function attempt<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  try {
    return work();
  } catch (failure) {
    return Promise.reject(failure);
  }
}

/**
 * What the promise resolves to; `fallback` where that takes longer, or what it asks is away. The promise goes on in the
 * background, so whoever makes it has to see to it that few are under way.
 */
export async function orAfter<T>(patienceMs: number, promise: Promise<T>, fallback: T): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(fallback), patienceMs);
  try {
    return await Promise.race([promise, late]);
  } catch (error) {
    if (error instanceof OutageError) return fallback;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
