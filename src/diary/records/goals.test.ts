import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Day, WEEKDAYS, weekdayOf } from './day.ts';
import type { Thousandths } from './exact-amount.ts';
import { amountsOn, type Goals, goalsOn, parseWeekdays } from './goals.ts';

const KEYS = ['calories', 'protein', 'sugars'] as const;
const amounts = fc.dictionary(
  fc.constantFrom(...KEYS),
  fc.nat().map((amount) => amount as Thousandths),
);
const day = fc
  .date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2026-03-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10) as Day);
const goals: fc.Arbitrary<Goals> = fc.record(
  { from: day, amounts, weekdays: fc.dictionary(fc.constantFrom(...WEEKDAYS), amounts) },
  { requiredKeys: ['from', 'amounts'] },
);

test('weekdays are those of the calendar', () => {
  fc.assert(
    fc.property(day, (date) => {
      const name = new Date(`${date}T12:00:00Z`).toLocaleDateString('en-GB', {
        weekday: 'long',
        timeZone: 'UTC',
      });
      expect(weekdayOf(date)).toBe(name.toLowerCase());
    }),
  );
});

test('each amount of a date is that of its weekday, else that of every day, in the goals that began last', () => {
  fc.assert(
    fc.property(fc.uniqueArray(goals, { selector: ({ from }) => from }), day, (all, date) => {
      const sorted = all.toSorted((a, b) => (a.from < b.from ? -1 : 1));
      let latest: Goals | undefined;
      for (const each of all)
        if (each.from <= date && (latest === undefined || each.from > latest.from)) latest = each;
      const held = amountsOn(goalsOn(sorted, date), date);
      for (const key of KEYS)
        expect(held[key]).toBe(latest?.weekdays?.[weekdayOf(date)]?.[key] ?? latest?.amounts[key]);
    }),
  );
});

test('a weekday without amounts is like an absent one', () => {
  const parse = ({ fat }: { readonly fat?: number | undefined }) =>
    fat === undefined ? {} : { fat: fat as Thousandths };
  expect(parseWeekdays({ sunday: { fat: 2 }, monday: {}, friday: { nutrients: {} } }, parse)).toEqual({
    sunday: { fat: 2 },
  });
  expect(parseWeekdays({ monday: {}, tuesday: undefined }, parse)).toBeUndefined();
  expect(parseWeekdays(undefined, parse)).toBeUndefined();
});
