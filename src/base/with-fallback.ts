import { OutageError } from '@larder/core/errors.ts';

/**
 * The result of a promise; `fallback` if that takes longer than `patienceMs` or a dependency is unavailable.
 * The promise continues in the background, so the caller must limit the number of running ones.
 */
export async function withFallback<T>(patienceMs: number, promise: Promise<T>, fallback: T): Promise<T> {
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
