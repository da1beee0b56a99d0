import fc from 'fast-check';
import type { Goals } from 'larder-client';
import { expect, it } from 'vitest';
import { isEqual } from '../queue/merge.ts';
import type { Write } from '../queue/writes.ts';
import { changeOfGoals, withGoals } from './waiting-goals.ts';

const amount = fc.integer({ min: 0, max: 9 });
const amounts = fc.record(
  {
    calories: amount,
    protein: amount,
    nutrients: fc.record({ sugars: amount, iron: amount }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const some = amounts.filter(
  ({ nutrients = {}, ...main }) => Object.keys({ ...main, ...nutrients }).length > 0,
);
const goals: fc.Arbitrary<Goals> = fc
  .tuple(amounts, fc.record({ monday: some, sunday: some }, { requiredKeys: [] }))
  .map(([everyDay, weekdays]) => ({ ...everyDay, ...(Object.keys(weekdays).length > 0 && { weekdays }) }));
const from = '2026-02-01';
const write = (body: object, op: Write['op'] = 'change'): Write => ({
  ...{ seq: 1, kind: 'goals', id: 'goals', op, body, attempts: 0, state: 'waiting' },
});
/** Without the empty lists of amounts that mean the same as none. */
const plain = ({ nutrients = {}, ...rest }: Goals) => ({
  ...rest,
  ...(Object.keys(nutrients).length > 0 && { nutrients }),
});

it('a change makes one set of goals of another, and is none where they are equal', () => {
  fc.assert(
    fc.property(goals, goals, (before, after) => {
      const change = changeOfGoals(from, before, after);
      const wanted = { ...plain(after), from };
      if (change === undefined) return expect(isEqual(plain(before), plain(after))).toBe(true);
      const [first, changed] = withGoals([before], [write(change)])!;
      expect(first).toEqual(before);
      const weekdays = changed!.weekdays && {
        weekdays: Object.fromEntries(
          Object.entries(changed!.weekdays).map(([day, each]) => [day, plain(each)]),
        ),
      };
      const ofDays = Object.entries(after.weekdays ?? {}).map(([day, each]) => [day, plain(each)]);
      expect({ ...changed, ...weekdays }).toEqual({
        ...wanted,
        ...(ofDays.length > 0 && { weekdays: Object.fromEntries(ofDays) }),
      });
    }),
  );
});

it('a change of one goal keeps the others that hold on its day, of earlier goals and of the same', () => {
  const known = [{ from: '2026-01-01', calories: 2000, fat: 60, weekdays: { sunday: { calories: 2500 } } }];
  const fiber = withGoals(known, [write({ from, fiber: 30 })])!;
  expect(fiber).toEqual([known[0], { ...known[0], from, fiber: 30 }]);
  expect(withGoals(fiber, [write({ from, fat: null, weekdays: { sunday: null } })])![1]).toEqual({
    from,
    calories: 2000,
    fiber: 30,
  });
});

it('removed goals leave those of other days', () => {
  const known = [{ calories: 2000 }, { from, calories: 1800 }];
  expect(withGoals(known, [write({ from }, 'remove')])).toEqual([known[0]]);
  expect(withGoals(known, [write({}, 'remove')])).toEqual([known[1]]);
});
