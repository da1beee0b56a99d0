import { isDay } from './day.ts';
import { invalidField } from './invalid-field.ts';

/** RFC 3339, without leap seconds; the date is checked by itself. */
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A time with its offset from UTC, kept as it was written, since the offset tells the time of day. */
export function parseMoment(text: string, field: string): string {
  const date = MOMENT.exec(text)?.[1];
  if (date !== undefined && isDay(date)) return text;
  throw invalidField(
    field,
    `"${field}" must be a time with its offset, as RFC 3339 writes it, for example 2026-01-31T12:30:00+01:00.`,
  );
}
