import { signal } from '@preact/signals';
import type { GoalWeekdays } from 'larder-client';
import { locale, texts } from './texts/texts.ts';

const DAY_MS = 86_400_000;

/** A day of the user, YYYY-MM-DD. */
export type Day = string;

export type Weekday = keyof GoalWeekdays;
/** From Sunday on, as `Date` counts. */
export const WEEKDAYS: readonly Weekday[] = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];

/** The time zone that was chosen; that of the device where it is undefined. */
export const timeZone = signal<string | undefined>(undefined);

/** Today in the time zone that is chosen, or on the clock of this device. */
export function today(): Day {
  // Sweden writes dates as the service does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timeZone.peek() }).format(new Date());
}

/** The day so many days later. */
export function shifted(day: Day, days: number): Day {
  return toDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
}

/** "Today", "Yesterday", or the day with its weekday. */
export function nameOfDay(day: Day): string {
  const { yesterday, today: now, tomorrow } = texts.value;
  const near: Record<Day, string> = {
    [shifted(today(), -1)]: yesterday,
    [today()]: now,
    [shifted(today(), 1)]: tomorrow,
  };
  return near[day] ?? dateOf(day, { weekday: 'long', day: 'numeric', month: 'long' });
}

export function dateOf(day: Day, form: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale.value, { ...form, timeZone: 'UTC' }).format(new Date(day));
}

export function weekdayOf(day: Day): Weekday {
  return WEEKDAYS[new Date(day).getUTCDay()]!;
}

export function nameOfWeekday(weekday: Weekday, form: 'long' | 'short' = 'long'): string {
  // 1970 began on a Thursday.
  return dateOf(toDay((3 + WEEKDAYS.indexOf(weekday)) * DAY_MS), { weekday: form });
}

/** `Sat and Sun` */
export function listOf(names: readonly string[]): string {
  return new Intl.ListFormat(locale.value).format(names);
}

function toDay(ms: number): Day {
  return new Date(ms).toISOString().slice(0, 10);
}
