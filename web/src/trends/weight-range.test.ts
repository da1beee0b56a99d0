import { expect, it } from 'vitest';
import { weightRange } from './weight-range.ts';

it.each([
  { unit: 'kg', kgPer: 1, range: [1, 700] },
  { unit: 'lb', kgPer: 0.45359237, range: [3, 1543] },
])('takes weights of people in $unit', ({ kgPer, range }) => {
  expect(weightRange((kg) => kg / kgPer)).toEqual(range);
});
