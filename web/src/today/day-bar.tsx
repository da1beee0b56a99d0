import { useEffect } from 'preact/hooks';
import { dateOf, nameOfDay, shifted, today } from '../days.ts';
import { otherName } from '../diary/shown-diary.ts';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts/texts.ts';
import { day } from './day-store.ts';

/** The day that is shown, and the ways to another one: buttons, a calendar, and the keys for left, right and "t". */
export function DayBar() {
  const { previousDay, nextDay, chooseDay, backToToday, otherDay } = texts.value;
  const other = otherName.value;
  const shown = day.value;
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class="day-bar">
      <button type="button" class="round" aria-label={previousDay} onClick={() => go(-1)}>
        <Icon name="chevronLeft" />
      </button>
      <div class="day-name">
        <h1 aria-live="polite">{other === undefined ? nameOfDay(shown) : otherDay.title(other)}</h1>
        <label class="day-date">
          {other !== undefined && <span aria-live="polite">{nameOfDay(shown)} · </span>}
          <span>{dateOf(shown, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })}</span>
          <input
            type="date"
            aria-label={chooseDay}
            value={shown}
            required
            // Only a click on its small picture would open the calendar.
            onClick={({ currentTarget }) => currentTarget.showPicker?.()}
            onChange={({ currentTarget: { value } }) => {
              day.value = value === '' ? today() : value;
            }}
          />
        </label>
        {shown !== today() && (
          <button type="button" class="link" onClick={goToToday}>
            {backToToday}
          </button>
        )}
      </div>
      <button type="button" class="round" aria-label={nextDay} onClick={() => go(1)}>
        <Icon name="chevronRight" />
      </button>
    </div>
  );
}

export function go(days: number): void {
  day.value = shifted(day.peek(), days);
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
