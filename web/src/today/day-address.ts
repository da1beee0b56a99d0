import { effect, untracked } from '@preact/signals';
import { type Day, isDay, today } from '../days.ts';
import { setTo } from '../parts/signals.ts';
import { day } from './day-store.ts';

const DAY = 'day';

/** Keeps the day that is shown in the address, `?day=2026-11-28`: reload, Back and a link lead to it. Returns its end. */
export function followDayAddress(): () => void {
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
