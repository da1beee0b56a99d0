import { useSignal, useSignalEffect } from '@preact/signals';
import type { DailyTotals, DiaryEntry, MealType, Person } from 'larder-client';
import '../styles/lists.css';
import '../styles/other-day.css';
import { type Day, dateOf, nameOfDay, shifted } from '../days.ts';
import { larder } from '../larder.ts';
import { Icon } from '../parts/icon.tsx';
import { energyText } from '../parts/measures.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { tell } from '../parts/toast.tsx';
import { numbers, texts } from '../texts/texts.ts';
import { add, day } from '../today/day-store.ts';
import { portionOf } from './portion.ts';

const MEALS: readonly MealType[] = ['breakfast', 'lunch', 'dinner', 'snacks'];
const PORTIONS = [0.25, 0.5, 0.75, 1, 1.5, 2] as const;

/** A day of somebody else's diary; meals and foods of it are copied into the own one by one tap. */
export function OtherDay({ person }: { readonly person: Person }) {
  const entries = useSignal<readonly DiaryEntry[] | undefined>(undefined);
  const totals = useSignal<DailyTotals | undefined>(undefined);
  const problem = useSignal('');
  const portion = useSignal(1);
  const load = async (date: Day) => {
    const { diary } = larder.user(person.id);
    entries.value = undefined;
    problem.value = '';
    try {
      const read = await Promise.all([diary.list({ date }).all(), diary.totals({ date, remaining: true })]);
      if (date === day.peek()) [entries.value, totals.value] = read;
    } catch (error) {
      if (date === day.peek()) problem.value = problemOf(error);
    }
  };
  useSignalEffect(() => void load(day.value));
  const { otherDay: all, meals, previousDay, nextDay, eaten } = texts.value;
  const { precise } = numbers.value;
  const copy = async (meal: MealType, copied: readonly DiaryEntry[]) => {
    try {
      await add(
        meal,
        copied.map((entry) => portionOf(entry, portion.peek())),
      );
    } catch (error) {
      tell(problemOf(error));
    }
  };
  const move = (days: number) => {
    day.value = shifted(day.peek(), days);
  };
  return (
    <>
      <div class="day-bar">
        <button type="button" class="round" aria-label={previousDay} onClick={() => move(-1)}>
          <Icon name="chevronLeft" />
        </button>
        <div class="day-name">
          <h1>{all.title(person.name)}</h1>
          <p class="quiet">
            {nameOfDay(day.value)}, {dateOf(day.value, { day: 'numeric', month: 'short', year: 'numeric' })}
          </p>
        </div>
        <button type="button" class="round" aria-label={nextDay} onClick={() => move(1)}>
          <Icon name="chevronRight" />
        </button>
      </div>
      <div class="other-sums">
        {totals.value !== undefined && (
          <p role="status" aria-label={texts.value.energy}>
            <span class="number">{energyText(totals.value.calories)}</span>{' '}
            <span class="quiet">
              {eaten}
              {totals.value.goals?.calories !== undefined && ` / ${energyText(totals.value.goals.calories)}`}
            </span>
          </p>
        )}
        <label>
          {all.portion}
          <select
            value={String(portion.value)}
            onChange={({ currentTarget: { value } }) => {
              portion.value = Number(value);
            }}
          >
            {PORTIONS.map((each) => (
              <option key={each} value={String(each)}>
                {`${precise(each)} ×`}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Problem text={problem.value} onRetry={() => load(day.peek())} />
      <div class="meals" aria-busy={entries.value === undefined && problem.value === ''}>
        {MEALS.map((meal) => {
          const own = entries.value?.filter(({ mealType }) => mealType === meal) ?? [];
          return (
            <section key={meal} class="meal other-meal" aria-label={meals[meal]}>
              <header>
                <h2>{meals[meal]}</h2>
                {own.length > 0 && (
                  <span class="amount">
                    {energyText(own.reduce((sum, { calories }) => sum + calories, 0))}
                  </span>
                )}
              </header>
              {entries.value === undefined ? null : own.length === 0 ? (
                <p class="empty">{all.nothing}</p>
              ) : (
                <>
                  <ul class="entries">
                    {own.map((entry) => (
                      <OtherEntry key={entry.id} entry={entry} onCopy={() => void copy(meal, [entry])} />
                    ))}
                  </ul>
                  <button type="button" class="add" onClick={() => void copy(meal, own)}>
                    <Icon name="plus" />
                    {all.copyMeal[meal]}
                  </button>
                </>
              )}
            </section>
          );
        })}
      </div>
    </>
  );
}

function OtherEntry({ entry, onCopy }: { readonly entry: DiaryEntry; readonly onCopy: () => void }) {
  const { otherDay: all, unitNames } = texts.value;
  const { foodName, quantity, unit = '', calories, unknown } = entry;
  const isKnown = unknown?.includes('calories') !== true;
  return (
    <li class="other-entry">
      <span class="entry-name">{foodName}</span>
      {quantity !== undefined && (
        <span class="entry-quantity">
          {numbers.value.precise(quantity)} {unitNames[unit as 'g'] ?? unit}
        </span>
      )}
      <span class="amount">{isKnown && energyText(calories)}</span>
      <button type="button" class="round" aria-label={all.copyFood(foodName)} onClick={onCopy}>
        <Icon name="plus" />
      </button>
    </li>
  );
}
