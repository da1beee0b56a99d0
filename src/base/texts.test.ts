import { expect, test } from 'vitest';
import { count, counted } from './texts.ts';

test.each([
  [0, '0 foods'],
  [1, '1 food'],
  [2_557, '2,557 foods'],
])('%i is counted as %s', (value, text) => {
  expect(counted(value, 'food')).toBe(text);
});

test('thousands are separated', () => {
  expect(count(4_012_557)).toBe('4,012,557');
});
