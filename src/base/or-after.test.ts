import { OutageError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { orAfter } from './or-after.ts';

const LONG_MS = 600_000;

test('what comes in time is the answer, and its failures too', async () => {
  expect(await orAfter(LONG_MS, Promise.resolve('there'), 'late')).toBe('there');
  await expect(orAfter(LONG_MS, Promise.reject(new Error('broken')), 'late')).rejects.toThrow('broken');
});

test('what takes too long, or is away, is done without', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await orAfter(1, promise, 'late')).toBe('late');
  expect(await orAfter(LONG_MS, Promise.reject(new OutageError('away')), 'late')).toBe('late');
  // Nobody is left to hear of it.
  reject(new Error('broken later'));
});
