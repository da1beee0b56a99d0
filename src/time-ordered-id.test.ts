import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIds, isId } from './time-ordered-id.ts';

test('ids sort in the order of writing: by time, then by place in the batch', () => {
  const ids = [
    ...createIds(1000, 1_700_000_000_000, randomBytes),
    ...createIds(2, 1_700_000_000_001, randomBytes),
  ];
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every(isId)).toBe(true);
});

test('two services that write in the same millisecond make different ids', () => {
  const ids = Array.from({ length: 1000 }, () => createIds(1, 1_700_000_000_000, randomBytes)[0]);
  expect(new Set(ids).size).toBe(1000);
});

test.each([
  '',
  '01ARZ3NDEKTSV4RRFFQ69G5FA',
  '01ARZ3NDEKTSV4RRFFQ69G5FAVX',
  '../etc',
  '01arz3ndektsv4rrffq69g5fav',
])('"%s" is no id', (text) => expect(isId(text)).toBe(false));
