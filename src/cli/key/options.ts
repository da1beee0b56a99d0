import { OperatorError } from '../../errors.ts';

const SECONDS = { m: 60, h: 3_600, d: 86_400 } as const;
const MAX_YEARS = 100;

/** A length of time such as `30d`, `12h` or `90m`, in seconds. */
export function parseDuration(text: string): number {
  const parts = /^(\d{1,6})([mhd])$/.exec(text);
  if (parts === null)
    throw new OperatorError(`${JSON.stringify(text)} is not a length of time such as 30d, 12h or 90m.`);
  return Number(parts[1]) * SECONDS[parts[2] as keyof typeof SECONDS];
}

/** A moment in Unix seconds, given as a date or time (ISO 8601, UTC unless it says otherwise) or as a length of time from now. */
export function parseExpiry(text: string, nowMs: number): number {
  const nowSeconds = Math.floor(nowMs / 1000);
  const seconds = /^\d{4}-\d\d-\d\d/.test(text) ? parseMoment(text) : nowSeconds + parseDuration(text);
  if (seconds <= nowSeconds) throw new OperatorError(`${JSON.stringify(text)} is in the past.`);
  if (seconds > nowSeconds + MAX_YEARS * 366 * SECONDS.d) {
    throw new OperatorError(
      `${JSON.stringify(text)} is more than ${MAX_YEARS} years away; leave it out for no expiry.`,
    );
  }
  return seconds;
}

function parseMoment(text: string): number {
  const zoned = /^\d{4}-\d\d-\d\d$/.test(text) || /(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
  const ms = Date.parse(zoned);
  const sameDay = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (
    Number.isNaN(ms) ||
    Number.isNaN(sameDay.getTime()) ||
    sameDay.toISOString().slice(0, 10) !== text.slice(0, 10)
  ) {
    throw new OperatorError(
      `${JSON.stringify(text)} is not a date or time such as 2031-01-31 or 2031-01-31T12:00:00Z.`,
    );
  }
  return Math.floor(ms / 1000);
}
