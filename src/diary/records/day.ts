import { AppError } from '@larder/core/errors.ts';
import { invalidField } from './invalid-field.ts';

declare const dayBrand: unique symbol;

/** A calendar date YYYY-MM-DD of the user. It is a label without time zone. */
export type Day = string & { readonly [dayBrand]: true };

/** The days from `from` to `to`, both included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** A leap year, so that every whole year fits. */
export const MAX_RANGE_DAYS = 366;

/** A range that includes every date; its bounds sort before and after every date. */
export const WHOLE_DIARY: DayRange = { from: '0000-00-00' as Day, to: '9999-12-31' as Day };

const DAY_MS = 86_400_000;
const DAY_FORM = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

/** Whether `text` is an existing date: 2024-02-29 is, 2023-02-29 is not. */
export function isDay(text: string): text is Day {
  // `Date` moves a day that its month lacks to the next month, or rejects it.
  return DAY_FORM.test(text) && new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(-2));
}

export function parseDay(text: string, field = 'date'): Day {
  if (isDay(text)) return text;
  throw invalidField(field, `"${field}" must be a real date of the form YYYY-MM-DD, for example 2026-01-31.`);
}

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The weekday of an existing date. */
export function weekdayOf(day: Day): Weekday {
  // `getUTCDay` counts from Sunday.
  return WEEKDAYS[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7]!;
}

/** The current date in a time zone, an IANA name such as `Europe/Berlin`. */
export function todayIn(timeZone: string, nowMs: number): Day {
  try {
    // Canadian English writes dates as in ISO 8601.
    return new Intl.DateTimeFormat('en-CA', { ...DAY_PARTS, timeZone }).format(nowMs) as Day;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw invalidField('timeZone', '"timeZone" must be an IANA name, for example Europe/Berlin.');
  }
}

const DAY_PARTS = { calendar: 'gregory', year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** A range of at most `MAX_RANGE_DAYS` days. */
export function parseDayRange(from: string, to: string): DayRange {
  const range = { from: parseDay(from, 'from'), to: parseDay(to, 'to') };
  const days = countDays(range);
  if (days < 1) throw invalidField('to', '"to" must not lie before "from".');
  if (days > MAX_RANGE_DAYS) {
    throw new AppError({
      code: 'invalid_request',
      message: `The range holds ${days} days; at most ${MAX_RANGE_DAYS} can be asked for at once.`,
      details: { fields: ['from', 'to'], maxDays: MAX_RANGE_DAYS },
    });
  }
  return range;
}

export function oneDay(day: Day): DayRange {
  return { from: day, to: day };
}

/** Every date of a range from `parseDayRange`, in order. */
export function daysOf(range: DayRange): Day[] {
  const first = Date.parse(`${range.from}T00:00:00Z`);
  return Array.from(
    { length: countDays(range) },
    (_, index) => new Date(first + index * DAY_MS).toISOString().slice(0, 10) as Day,
  );
}

function countDays({ from, to }: DayRange): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS + 1;
}

/** RFC 3339 without leap seconds; the date is checked separately. */
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A time with its offset from UTC. It is stored as written, because the offset determines the time of day. */
export function parseMoment(text: string, field: string): string {
  const date = MOMENT.exec(text)?.[1];
  if (date !== undefined && isDay(date)) return text;
  throw invalidField(
    field,
    `"${field}" must be a time with its offset, as RFC 3339 writes it, for example 2026-01-31T12:30:00+01:00.`,
  );
}
