import type { GoalAmounts, GoalAmountsPatch, Goals, GoalsPatch } from 'larder-client';
import type { Day } from '../../days.ts';
import { FIELD_NAMES, furtherOf } from '../../parts/nutrients.ts';
import type { Write } from '../queue/writes.ts';
import { statedOn } from './day-sums.ts';

/** A change of the goals from a day on. */
export type GoalsChange = GoalsPatch & { readonly from: Day };

/** All goals, oldest first, with the changes that wait to be sent. */
export function withGoals(
  known: readonly Goals[] | undefined,
  writes: readonly Write[],
): readonly Goals[] | undefined {
  return writes
    .filter(({ kind, state }) => kind === 'goals' && state === 'waiting')
    .reduce<readonly Goals[] | undefined>((all = [], { op, body }) => {
      const change = body as GoalsChange | { readonly from?: Day };
      const others = all.filter(({ from }) => from !== change.from);
      if (op === 'remove') return others;
      return [...others, goalsAfter(all, change as GoalsChange)].toSorted((a, b) =>
        (a.from ?? '') < (b.from ?? '') ? -1 : 1,
      );
    }, known);
}

/** The goals from a day on after a change: what it does not name stays as it is on that day. */
function goalsAfter(all: readonly Goals[], { from, timeZone, weekdays, ...amounts }: GoalsChange): Goals {
  const before = statedOn(all, from);
  const names = new Set([...Object.keys(before?.weekdays ?? {}), ...Object.keys(weekdays ?? {})]);
  const ofWeekdays = [...names].flatMap((name) => {
    const weekday = name as keyof NonNullable<Goals['weekdays']>;
    const change = weekdays === null ? null : weekdays?.[weekday];
    const after = change === null ? {} : patched(before?.weekdays?.[weekday], change);
    return Object.keys(after).length === 0 ? [] : [[weekday, after] as const];
  });
  const { from: _, version, weekdays: _others, ...everyDay } = before ?? {};
  return {
    from,
    ...patched(everyDay, amounts),
    ...(ofWeekdays.length > 0 && { weekdays: Object.fromEntries(ofWeekdays) }),
  };
}

function patched(before: GoalAmounts = {}, { nutrients, ...main }: GoalAmountsPatch = {}): GoalAmounts {
  const { nutrients: others, ...stated } = before;
  const further = withoutNull({ ...furtherOf(others), ...nutrients });
  return {
    ...withoutNull({ ...stated, ...main }),
    ...(Object.keys(further).length > 0 && { nutrients: further }),
  };
}

function withoutNull(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** The change that makes goals `after` of those `before`; undefined if they are equal. */
export function changeOfGoals(from: Day, before: Goals | undefined, after: Goals): GoalsChange | undefined {
  const names = new Set([...Object.keys(before?.weekdays ?? {}), ...Object.keys(after.weekdays ?? {})]);
  const weekdays = [...names].flatMap((name) => {
    const weekday = name as keyof NonNullable<Goals['weekdays']>;
    const then = after.weekdays?.[weekday];
    const change = then === undefined ? null : differenceOf(before?.weekdays?.[weekday], then);
    return change !== null && Object.keys(change).length === 0 ? [] : [[weekday, change] as const];
  });
  const change = {
    ...differenceOf(before, after),
    ...(weekdays.length > 0 && { weekdays: Object.fromEntries(weekdays) }),
  };
  return Object.keys(change).length === 0 ? undefined : { from, ...change };
}

function differenceOf(before: GoalAmounts = {}, after: GoalAmounts = {}): GoalAmountsPatch {
  const further = differences(furtherOf(before.nutrients), furtherOf(after.nutrients));
  return {
    ...Object.fromEntries(
      FIELD_NAMES.flatMap((key) => (before[key] === after[key] ? [] : [[key, after[key] ?? null]])),
    ),
    ...(Object.keys(further).length > 0 && { nutrients: further }),
  };
}

function differences(before: object = {}, after: object = {}): object {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const [then, now] = [before, after] as Record<string, number | undefined>[];
  return Object.fromEntries(
    [...names].flatMap((name) => (then![name] === now![name] ? [] : [[name, now![name] ?? null]])),
  );
}
