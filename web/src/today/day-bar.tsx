import { useEffect } from 'preact/hooks';
import { FIRST_DAY, LAST_DAY, nearName, shifted, shortDateOf, today } from '../days.ts';
import { otherName } from '../diary/shown-diary.ts';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts/texts.ts';
import { followDayAddress } from './day-address.ts';
import { day, showDay } from './day-store.ts';

/** The day that is shown, and the ways to another one: buttons, a calendar, and the keys for left, right and "t". */
export function DayBar() {
  const { previousDay, nextDay, chooseDay, backToToday, today: todayWord, otherDay } = texts.value;
  const other = otherName.value;
  const shown = day.value;
  const near = nearName(shown);
  const name = near ?? shortDateOf(shown);
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  useEffect(followDayAddress, []);
  return (
    <>
      {other !== undefined && <h1 class="of-other">{otherDay.title(other)}</h1>}
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
          {other === undefined ? (
            <h1 aria-live="polite">{name}</h1>
          ) : (
            <p class="day-word" aria-live="polite">
              {name}
            </p>
          )}
          <label class="day-date">
            {near === undefined ? <Icon name="calendar" /> : <span>{shortDateOf(shown)}</span>}
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
            <button type="button" class="link back-to-today" aria-label={backToToday} onClick={goToToday}>
              {todayWord}
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
    </>
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
