import type { MealType } from 'larder-client';
import { type Day, daysBetween, shifted } from '../days.ts';

export interface Place {
  readonly date: Day;
  readonly mealType: MealType;
}

/** The parts of a moment: its day, its time of day, its offset. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)([\d:.]*)(Z|[+-]\d\d:\d\d)$/;

/** A place for an entry, with the moment of eating at the same time of day there. */
export function placeOf<Eaten extends { readonly date: Day; readonly eatenAt?: string | undefined }>(
  { date, eatenAt }: Eaten,
  place: Place,
): Place & { readonly eatenAt?: string } {
  if (eatenAt === undefined || date === place.date) return place;
  return { ...place, eatenAt: laterMoment(eatenAt, daysBetween(date, place.date)) };
}

/** The same time of day so many days later. Where its offset is that of this device, it is that of then. */
export function laterMoment(moment: string, days: number): string {
  const [, day, time, seconds, offset] = MOMENT.exec(moment) ?? [];
  if (day === undefined || time === undefined) return moment;
  const later = shifted(day, days);
  const isOfDevice = offset === offsetAt(day, time);
  return `${later}T${time}${seconds}${isOfDevice ? offsetAt(later, time) : offset}`;
}

/** A time of a day with the offset that this device has then. */
export function momentOf(day: Day, time: string): string {
  return `${day}T${time}:00${offsetAt(day, time)}`;
}

function offsetAt(day: Day, time: string): string {
  const minutes = -new Date(`${day}T${time}:00`).getTimezoneOffset();
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
