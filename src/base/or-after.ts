import { OutageError } from '@larder/core/errors.ts';

/**
 * The result of a promise; `fallback` if that takes longer than `patienceMs` or a dependency is away. The promise goes on in the
 * background, so its maker has to bound how many are under way.
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
