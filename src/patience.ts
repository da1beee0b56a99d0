import { OutageError } from './errors.ts';

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
