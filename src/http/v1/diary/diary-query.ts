import { type DayRange, oneDay, parseDay, parseDayRange } from '../../../diary/records/day.ts';
import { invalidField } from '../../../diary/records/invalid-field.ts';
import { dateText } from '../../openapi/text-schemas.ts';

export const rangeFields = {
  from: dateText.optional().describe('First day of a range.'),
  to: dateText.optional().describe('Last day of a range; at most 366 days.'),
};
export const daysFields = { date: dateText.optional().describe('One day.'), ...rangeFields };

interface RangeQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Undefined where neither end is given. */
export function readRange({ from, to }: RangeQuery): DayRange | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) throw invalidField('from', '"to" needs "from".');
  if (to === undefined) throw invalidField('to', '"from" needs "to".');
  return parseDayRange(from, to);
}

/** One day (`date`) or several (`from` and `to`). */
export function readDays({ date, ...ends }: RangeQuery & { readonly date?: string | undefined }): {
  readonly range: DayRange;
  readonly single: boolean;
} {
  const range = readRange(ends);
  if (range === undefined) {
    if (date === undefined)
      throw invalidField('date', 'Say which day: ?date=YYYY-MM-DD, or ?from= and &to=.');
    return { range: oneDay(parseDay(date)), single: true };
  }
  if (date !== undefined) throw invalidField('date', 'Give either "date", or "from" and "to".');
  return { range, single: false };
}
