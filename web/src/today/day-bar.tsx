import { useEffect } from 'preact/hooks';
import { FIRST_DAY, fullDateOf, LAST_DAY, nameOfDay, nearName, shifted, today } from '../days.ts';
import { otherName } from '../diary/shown-diary.ts';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts/texts.ts';
import { day, showDay } from './day-store.ts';

/** The day that is shown, and the ways to another one: buttons, a calendar, and the keys for left, right and "t". */
export function DayBar() {
  const { previousDay, nextDay, chooseDay, backToToday, otherDay } = texts.value;
  const other = otherName.value;
  const shown = day.value;
  const near = other === undefined ? undefined : nearName(shown);
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class="day-bar">
      <button
        type="button"
        class="round"
        aria-label={previousDay}
        disabled={shown <= FIRST_DAY}
        onClick={() => go(-1)}
      >
        <Icon name="chevronLeft" />
      </button>
      <div class="day-name">
        <h1 aria-live="polite">{other === undefined ? nameOfDay(shown) : otherDay.title(other)}</h1>
        <label class="day-date">
          <span class="date-words" aria-live={other === undefined ? undefined : 'polite'}>
            {near !== undefined && <span>{near}</span>}
            <span>{fullDateOf(shown)}</span>
          </span>
          <input
            type="date"
            aria-label={chooseDay}
            value={shown}
            required
            min={FIRST_DAY}
            max={LAST_DAY}
            // Only a click on its small picture would open the calendar.
            onClick={({ currentTarget }) => currentTarget.showPicker?.()}
            onChange={({ currentTarget: { value } }) => showDay(value === '' ? today() : value)}
            // Not before: a year is typed digit by digit.
            onBlur={({ currentTarget }) => {
              currentTarget.value = day.peek();
            }}
          />
        </label>
        {shown !== today() && (
          <button type="button" class="link" onClick={goToToday}>
            {backToToday}
          </button>
        )}
      </div>
      <button
        type="button"
        class="round"
        aria-label={nextDay}
        disabled={shown >= LAST_DAY}
        onClick={() => go(1)}
      >
        <Icon name="chevronRight" />
      </button>
    </div>
  );
}

export function go(days: number): void {
  showDay(shifted(day.peek(), days));
}

function goToToday(): void {
  day.value = today();
}

function onKey(event: KeyboardEvent): void {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  const isTyping = (target as Element).closest('input, select, textarea, dialog') !== null;
  if (isTyping || altKey || ctrlKey || metaKey || document.querySelector('dialog[open]') !== null) return;
  const forward = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  if (key === 'ArrowLeft' || key === 'ArrowRight') go(key === forward ? 1 : -1);
  else if (key === 't') goToToday();
}
