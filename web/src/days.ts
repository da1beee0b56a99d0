import { signal } from '@preact/signals';
import type { GoalWeekdays } from 'larder-client';
import { locale, texts } from './texts/texts.ts';

const DAY_MS = 86_400_000;

/** A day of the user, YYYY-MM-DD. */
export type Day = string;

/** Days that the page shows and writes: what lies outside is a slip of the keys. */
export const FIRST_DAY: Day = '1900-01-01';
export const LAST_DAY: Day = '2199-12-31';

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

/** How many days later the second one is. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** Whether a text is a day that the page shows and writes. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    text >= FIRST_DAY &&
    text <= LAST_DAY &&
    !Number.isNaN(Date.parse(text)) &&
    shifted(text, 0) === text
  );
}

/** "Today", "Yesterday" or "Tomorrow"; undefined for other days. */
export function nearName(day: Day): string | undefined {
  const { yesterday, today: now, tomorrow } = texts.value;
  const near: Record<Day, string> = {
    [shifted(today(), -1)]: yesterday,
    [today()]: now,
    [shifted(today(), 1)]: tomorrow,
  };
  return near[day];
}

/** `Fri, Nov 27`; with its year where that is another one. */
export function shortDateOf(day: Day): string {
  const isThisYear = day.slice(0, 4) === today().slice(0, 4);
  return isThisYear ? dateOf(day, { weekday: 'short', day: 'numeric', month: 'short' }) : fullDateOf(day);
}

/** `Fri, Nov 27, 2026` */
export function fullDateOf(day: Day): string {
  return dateOf(day, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
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
