import { effect, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Day, FIRST_DAY, isDay, LAST_DAY, nearName, shifted, shortDateOf, today } from '../days.ts';
import { otherName } from '../diary/shown-diary.ts';
import { Icon } from '../parts/icon.tsx';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
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

const DAY = 'day';

/** Keeps the day that is shown in the address, `?day=2026-11-28`: reload, Back and a link lead to it. Returns its end. */
function followDayAddress(): () => void {
  const asked = addressDay();
  // The view was left at this day.
  if (asked === undefined) history.replaceState(history.state, '', addressOf(day.peek()));
  else day.value = asked;
  const onBack = () => setTo(day, addressDay() ?? today());
  const end = effect(() => {
    const shown = day.value;
    if (shown === (untracked(addressDay) ?? today())) return;
    history.pushState(null, '', addressOf(shown));
  });
  addEventListener('popstate', onBack);
  return () => {
    removeEventListener('popstate', onBack);
    end();
  };
}

/** Undefined where the address names none. */
function addressDay(): Day | undefined {
  const asked = new URLSearchParams(location.search).get(DAY);
  return asked !== null && isDay(asked) ? asked : undefined;
}

/** The address of today is that of the view, so that it stays today tomorrow. */
function addressOf(shown: Day): string {
  const { pathname, hash } = location;
  return pathname + (shown === today() ? '' : `?${DAY}=${shown}`) + hash;
}
