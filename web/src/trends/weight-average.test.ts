import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shifted } from '../days.ts';
import { byDay, changeAWeek, trendOf } from './weight-average.ts';

const at = (days: number, value: number) => ({ day: shifted('2026-03-01', days), value });
const valuesOf = (trend: readonly { value: number }[]) => trend.map(({ value }) => value);

describe('trendOf', () => {
  it('begins with the first value and goes a tenth of the way each day', () => {
    const [first, second, third] = valuesOf(trendOf([at(0, 80), at(1, 81), at(2, 81)]));
    expect(first).toBe(80);
    expect(second).toBeCloseTo(80.1, 10);
    expect(third).toBeCloseTo(80.19, 10);
  });

  it('counts a value after a gap as much as the same value on each day of it', () => {
    const daily = [1, 2, 3, 4, 5, 6, 7].map((day) => at(day, 78));
    const [whole, gap] = [trendOf([at(0, 80), ...daily]), trendOf([at(0, 80), at(7, 78)])];
    expect(gap.at(-1)!.value).toBeCloseTo(whole.at(-1)!.value, 10);
    // Half of a lasting change is in the trend after a week.
    expect(gap.at(-1)!.value).toBeCloseTo(79, 0);
  });

  it('takes the mean of a day with several values, in any order', () => {
    expect(byDay([at(1, 81), at(0, 80), at(0, 82)])).toEqual([at(0, 81), at(1, 81)]);
    expect(trendOf([])).toEqual([]);
  });

  it('stays within what was measured', () => {
    const measured = fc.array(
      fc.record({
        days: fc.integer({ min: 0, max: 900 }),
        value: fc.double({ min: 30, max: 300, noNaN: true }),
      }),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(measured, (all) => {
        const values = all.map(({ value }) => value);
        const trend = valuesOf(trendOf(all.map(({ days, value }) => at(days, value))));
        expect(Math.min(...trend)).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(Math.max(...trend)).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
      }),
    );
  });
});

it('tells the change of a week only after one', () => {
  expect(changeAWeek([at(0, 80), at(14, 79)])).toBeCloseTo(-0.5, 10);
  expect(changeAWeek([at(0, 80), at(6, 79)])).toBeUndefined();
  expect(changeAWeek([])).toBeUndefined();
});
