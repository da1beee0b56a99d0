import type { GoalWeekdays } from 'larder-client';
import { listOf, nameOfWeekday, WEEKDAYS, type Weekday } from '../days.ts';
import { weekStart } from '../preferences.ts';
import { texts } from '../texts/texts.ts';
import { type Fields, fieldsOf, GoalFields, goalsOf } from './goal-fields.tsx';

/** Weekdays that have the same other goals. */
export interface WeekdayGroup {
  readonly days: readonly Weekday[];
  readonly fields: Fields;
}

export function groupsOf(weekdays: GoalWeekdays = {}): readonly WeekdayGroup[] {
  const groups = Map.groupBy(Object.entries(weekdays), ([, amounts]) => JSON.stringify(amounts));
  return [...groups.values()].map((same) => ({
    days: same.map(([day]) => day as Weekday),
    fields: fieldsOf(same[0]![1]),
  }));
}

/** Undefined if no group has goals. */
export function weekdaysOf(groups: readonly WeekdayGroup[]): GoalWeekdays | undefined {
  const stated = groups.flatMap(({ days, fields }) => {
    const amounts = goalsOf(fields);
    return Object.keys(amounts).length === 0 ? [] : days.map((day) => [day, amounts] as const);
  });
  return stated.length === 0 ? undefined : Object.fromEntries(stated);
}

/** `Sat and Sun`, in the order of the week that the person chose. */
export function namesOf(days: readonly Weekday[]): string {
  return listOf(
    week()
      .filter((day) => days.includes(day))
      .map((day) => nameOfWeekday(day, 'short')),
  );
}

interface WeekdayGoalsProps {
  readonly groups: readonly WeekdayGroup[];
  readonly everyDay: Fields;
  readonly onChange: (groups: readonly WeekdayGroup[]) => void;
}

/** Other goals on some days; each day is in one group at most. */
export function WeekdayGoals({ groups, everyDay, onChange }: WeekdayGoalsProps) {
  const { goalsPage: all, household } = texts.value;
  const taken = groups.flatMap(({ days }) => days);
  const free = WEEKDAYS.filter((day) => !taken.includes(day));
  const weekend = free.filter((day) => day === 'saturday' || day === 'sunday');
  const change = (at: number, part: Partial<WeekdayGroup>) =>
    onChange(groups.with(at, { ...groups[at]!, ...part }));
  return (
    <>
      {groups.map(({ days, fields }, at) => (
        <fieldset key={at}>
          <legend>{days.length === 0 ? all.onSomeDays : all.onDays(namesOf(days))}</legend>
          <div class="weekdays">
            {week().map((day) => (
              <button
                key={day}
                type="button"
                title={nameOfWeekday(day)}
                aria-pressed={days.includes(day)}
                disabled={!days.includes(day) && !free.includes(day)}
                onClick={() =>
                  change(at, {
                    days: days.includes(day) ? days.filter((each) => each !== day) : [...days, day],
                  })
                }
              >
                {nameOfWeekday(day, 'short')}
              </button>
            ))}
          </div>
          {days.length === 0 && (
            <p class="problem" role="alert">
              {all.chooseDay}
            </p>
          )}
          <GoalFields
            fields={fields}
            otherwise={everyDay}
            onChange={(changed) => change(at, { fields: changed })}
          />
          <p class="quiet">{all.emptyIsEveryDay}</p>
          <button type="button" class="danger" onClick={() => onChange(groups.toSpliced(at, 1))}>
            {household.remove}
          </button>
        </fieldset>
      ))}
      {free.length > 0 && (
        <button
          type="button"
          onClick={() =>
            onChange([...groups, { days: weekend.length > 0 ? weekend : free.slice(0, 1), fields: {} }])
          }
        >
          {all.onSomeDays}
        </button>
      )}
    </>
  );
}

function week(): readonly Weekday[] {
  return [...WEEKDAYS.slice(weekStart.value), ...WEEKDAYS.slice(0, weekStart.value)];
}
