import { OutageError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { withFallback } from './with-fallback.ts';

const LONG_MS = 600_000;

test('a result in time is returned, and an error in time is thrown', async () => {
  expect(await withFallback(LONG_MS, Promise.resolve('there'), 'late')).toBe('there');
  await expect(withFallback(LONG_MS, Promise.reject(new Error('broken')), 'late')).rejects.toThrow('broken');
});

test('a late result or an outage is replaced', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await withFallback(1, promise, 'late')).toBe('late');
  expect(await withFallback(LONG_MS, Promise.reject(new OutageError('away')), 'late')).toBe('late');
  // The caller does not learn of a late failure.
  reject(new Error('broken later'));
});
