import { expect, test } from 'vitest';
import { longJsonList } from './lists.ts';

const toJson = (item: string) => JSON.stringify(item);
const items = (count: number) => Array.from({ length: count }, (_, at) => `item ${at} "é"`);

test.each([0, 1, 10, 11, 20, 21])(
  'a list of %d items is one JSON array, in the same order',
  async (count) => {
    const list = await longJsonList(items(count), 10, toJson);
    expect(String(list)).toBe(JSON.stringify(items(count)));
  },
);

test('a short list is one text; while a long one is written, the thread does its other work', async () => {
  expect(typeof (await longJsonList(items(10), 10, toJson))).toBe('string');
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await longJsonList(items(100), 10, toJson);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(8);
});
