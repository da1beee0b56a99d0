import { z } from 'zod';
import { type Day, isDay, parseDay, todayIn } from '../../diary/records/day.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';

const DAY_MS = 86_400_000;

export const dateInput = z
  .string()
  .optional()
  .describe('YYYY-MM-DD in the user’s calendar, or "today" or "yesterday" in timeZone. Default: today.');

export const timeZoneInput = z
  .string()
  .optional()
  .describe('The user’s time zone, such as Europe/Berlin. Needed unless each date is YYYY-MM-DD.');

export const dayInputs = { date: dateInput, timeZone: timeZoneInput };

/** The interpretation of a day, as responses repeat it. */
export const understoodDay = z.object({
  date: z.string(),
  weekday: z.string(),
  understoodAs: z.string().describe('Source of the date.'),
});

export type UnderstoodDay = z.infer<typeof understoodDay> & { readonly date: Day };

/** The time zone of the user’s "today", and the clock. */
export interface DayContext {
  readonly timeZone: string | undefined;
  readonly nowMs: () => number;
}

/** Throws `invalid_request` rather than guess the time zone: entries on the wrong day are a usual complaint. */
export function understandDay(
  given: string | undefined,
  { timeZone, nowMs }: DayContext,
  field = 'date',
): UnderstoodDay {
  const word = given?.trim().toLowerCase() ?? 'today';
  if (word !== 'today' && word !== 'yesterday') return described(parseDay(word, field), 'as given');
  if (timeZone === undefined) {
    throw invalidField(
      'timeZone',
      `Which day "${word}" is depends on the user’s time zone: give "timeZone", such as Europe/Berlin, or "${field}" as YYYY-MM-DD.`,
    );
  }
  const now = nowMs();
  const today = todayIn(timeZone, now);
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now);
  const place = `${timeZone}, where it is ${time}`;
  if (word === 'today') return described(today, `today in ${place}`);
  return described(daysBefore(today, 1), `yesterday in ${place}`);
}

export function daysBefore(day: Day, days: number): Day {
  const text = new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
  return isDay(text) ? text : day;
}

function described(date: Day, understoodAs: string): UnderstoodDay {
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });
  return { date, weekday: weekday.format(Date.parse(`${date}T00:00:00Z`)), understoodAs };
}
