import { expect, it } from 'vitest';
import { daysBetween, isDay } from './days.ts';

it('knows the days of a diary', () => {
  const days = ['1900-01-01', '2026-02-28', '2199-12-31'];
  expect(days.filter(isDay)).toEqual(days);
  const others = ['', '0001-01-01', '1899-12-31', '2200-01-01', '9999-12-31', '275760-09-13', '+010000-01'];
  expect([...others, '2026-02-30', '2026-13-01'].filter(isDay)).toEqual([]);
});

it('counts the days between two', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
  expect(daysBetween('2027-01-01', '2026-12-31')).toBe(-1);
});
