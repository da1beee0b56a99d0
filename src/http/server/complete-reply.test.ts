import { expect, test } from 'vitest';
import { slicesOf } from '../../base/background-work.ts';
import { writeSlices } from './complete-reply.ts';

const write = (list: readonly string[]) => writeSlices(slicesOf(list, 10));
const items = (count: number) => Array.from({ length: count }, (_, at) => `item ${at} "é"`);

test.each([0, 1, 10, 11, 20, 21])(
  'a list of %d items is one JSON array, in the same order',
  async (count) => {
    const list = await write(items(count));
    expect(String(list)).toBe(JSON.stringify(items(count)));
  },
);

test('a short list is one text; while a long one is written, the thread does its other work', async () => {
  expect(typeof (await write(items(10)))).toBe('string');
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await write(items(100));
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(8);
});
