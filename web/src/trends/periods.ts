import { type Day, shifted } from '../days.ts';

export const RANGES = ['week', 'month', 'year'] as const;
export type Range = (typeof RANGES)[number];

/** The first and last day of what is shown. */
export interface Period {
  readonly from: Day;
  readonly to: Day;
}

/** The calendar week, month or year of a day. `weekStart` is the day on which weeks begin, 0 for Sunday. */
export function periodOf(range: Range, day: Day, weekStart: number): Period {
  if (range === 'week') {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    const from = shifted(day, -((weekday - weekStart + 7) % 7));
    return { from, to: shifted(from, 6) };
  }
  const year = Number(day.slice(0, 4));
  if (range === 'year') return { from: `${day.slice(0, 4)}-01-01`, to: `${day.slice(0, 4)}-12-31` };
  const last = new Date(Date.UTC(year, Number(day.slice(5, 7)), 0)).getUTCDate();
  return { from: `${day.slice(0, 7)}-01`, to: `${day.slice(0, 7)}-${last}` };
}

/** Days from the first to the last one. */
export function daysOf({ from, to }: Period): readonly Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = shifted(day, 1)) days.push(day);
  return days;
}
