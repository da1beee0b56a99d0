import { expect, test } from 'vitest';
import { Places } from './places.ts';

test('each group has its limit, and all groups share one', () => {
  const places = new Places({ all: 4, each: [3, 2] });
  const [first] = [places.take(['acme', 'acme ann']), places.take(['acme', 'acme ann'])];
  expect(places.take(['acme', 'acme ann'])).toBeUndefined();
  expect(places.take(['acme', 'acme bob'])).toBeDefined();
  expect(places.take(['acme', 'acme bob'])).toBeUndefined();
  expect(places.take(['other', 'other ann'])).toBeDefined();
  expect(places.take(['other', 'other ann'])).toBeUndefined();
  first!();
  first!();
  expect(places.take(['acme', 'acme ann'])).toBeDefined();
  expect(places.take(['acme', 'acme ann'])).toBeUndefined();
});
