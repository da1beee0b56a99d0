import type { MealType } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { AddDialog } from '../add/add-dialog.tsx';
import { openAdd } from '../add/dialog-state.ts';
import { LeftStrip } from '../add/left-strip.tsx';
import { dateOf, nameOfDay, shifted, today } from '../days.ts';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts/texts.ts';
import { copyMeal, day, entries, load, problem } from './day-store.ts';
import { EntryRow } from './entry-row.tsx';
import { MEALS, mealWords } from './meal-names.ts';
import { Sums } from './sums.tsx';

/** One day of the diary. */
export function TodayPage() {
  // Goals may have changed since the day was read.
  useEffect(() => void load(), []);
  const { retry } = texts.value;
  return (
    <>
      <DayBar />
      <LeftStrip />
      <Sums />
      {problem.value !== undefined && (
        <p class="problem" role="alert">
          {problem.value}{' '}
          <button type="button" class="link" onClick={() => void load()}>
            {retry}
          </button>
        </p>
      )}
      <div class="meals" aria-busy={entries.value === undefined}>
        {MEALS.map((meal) => (
          <Meal key={meal} meal={meal} />
        ))}
      </div>
      <AddDialog />
    </>
  );
}

function DayBar() {
  const { previousDay, nextDay, chooseDay } = texts.value;
  const shown = day.value;
  return (
    <div class="day-bar">
      <button
        type="button"
        class="round"
        aria-label={previousDay}
        onClick={() => {
          day.value = shifted(shown, -1);
        }}
      >
        <Icon name="chevronLeft" />
      </button>
      <div class="day-name">
        <h1>{nameOfDay(shown)}</h1>
        <label class="day-date">
          <span>{dateOf(shown, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })}</span>
          <input
            type="date"
            aria-label={chooseDay}
            value={shown}
            required
            onChange={({ currentTarget: { value } }) => {
              day.value = value === '' ? today() : value;
            }}
          />
        </label>
      </div>
      <button
        type="button"
        class="round"
        aria-label={nextDay}
        onClick={() => {
          day.value = shifted(shown, 1);
        }}
      >
        <Icon name="chevronRight" />
      </button>
    </div>
  );
}

function Meal({ meal }: { readonly meal: MealType }) {
  const { emptyMeal, copyYesterday } = texts.value;
  const { name, addTo } = mealWords(meal);
  const own = entries.value?.filter(({ mealType }) => mealType === meal);
  const energy = own?.reduce((sum, { calories }) => sum + calories, 0) ?? 0;
  return (
    <section class="meal" aria-label={name}>
      <header>
        <h2>{name}</h2>
        {energy > 0 && <span class="amount">{Math.round(energy)} kcal</span>}
      </header>
      {own !== undefined && own.length > 0 && (
        <ul class="entries">
          {own.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {own?.length === 0 && (
        <p class="empty">
          {emptyMeal}
          <button type="button" class="link" onClick={() => void copyMeal(meal)}>
            {copyYesterday}
          </button>
        </p>
      )}
      <button type="button" class="add" onClick={() => openAdd(meal)}>
        <Icon name="plus" />
        {addTo}
      </button>
    </section>
  );
}
