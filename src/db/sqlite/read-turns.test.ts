import { BusyError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { ReadTurns } from './read-turns.ts';

test('one read runs at a time, and users take turns however many reads each has', async () => {
  const turns = new ReadTurns();
  const order: string[] = [];
  let running = 0;
  const read = (user: string) =>
    turns.run(user, async () => {
      expect(++running).toBe(1);
      await new Promise(setImmediate);
      running--;
      order.push(user);
    });
  await Promise.all(['eve', 'eve', 'eve', 'eve', 'ann', 'bob', 'ann'].map(read));
  expect(order).toEqual(['eve', 'eve', 'ann', 'bob', 'eve', 'ann', 'eve']);
});

test('the next read runs after a failed one', async () => {
  const turns = new ReadTurns();
  const failed = turns.run('ann', () => Promise.reject(new Error('no such table')));
  const next = turns.run('ann', async () => 'read');
  await expect(failed).rejects.toThrow('no such table');
  expect(await next).toBe('read');
});

test('a user with too many waiting reads is rejected, others are not', async () => {
  const turns = new ReadTurns();
  const { promise, resolve } = Promise.withResolvers<void>();
  const reads = Array.from({ length: 51 }, () => turns.run('eve', () => promise));
  await expect(turns.run('eve', () => promise)).rejects.toThrow(BusyError);
  const other = turns.run('ann', async () => 'read');
  resolve();
  expect(await other).toBe('read');
  await Promise.all(reads);
});
