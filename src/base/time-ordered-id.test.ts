import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIds, isId, pooled } from './time-ordered-id.ts';

test('ids sort in the order of writing: by time, then by position in the batch', () => {
  const ids = [
    ...createIds(1000, 1_700_000_000_000, randomBytes),
    ...createIds(2, 1_700_000_000_001, randomBytes),
  ];
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every(isId)).toBe(true);
});

test('two services that write in the same millisecond create different ids', () => {
  const ids = Array.from({ length: 1000 }, () => createIds(1, 1_700_000_000_000, randomBytes)[0]);
  expect(new Set(ids).size).toBe(1000);
});

test('pooled bytes are the drawn ones, each used once, however many are requested', () => {
  let drawn = 0;
  const random = pooled((count) => Uint8Array.from({ length: count }, () => drawn++ % 251));
  const taken = [12, 2_990, 1_200, 5_000, 12].flatMap((count) => {
    const bytes = [...random(count)];
    expect(bytes).toHaveLength(count);
    return bytes[0];
  });
  // The first 3,000 supply 12 and leave 2,988. Draws of 3,000 for 2,990, of 3,000 for 1,200, of 5,000 and of
  // 3,000 follow.
  expect(taken).toEqual([0, 3_000, 6_000, 9_000, 14_000].map((at) => at % 251));
});

test.each([
  '',
  '01ARZ3NDEKTSV4RRFFQ69G5FA',
  '01ARZ3NDEKTSV4RRFFQ69G5FAVX',
  '../etc',
  '01arz3ndektsv4rrffq69g5fav',
])('"%s" is not an id', (text) => expect(isId(text)).toBe(false));
