import { UsageError } from '@larder/core/errors.ts';
import { isScope, SCOPES, type Scope, TENANT_PATTERN } from '../../access/api-key.ts';
import {
  LIMITED_OPERATIONS,
  type LimitedOperation,
  type LimitsChange,
  MAX_OWN_LIMIT,
  type OwnLimits,
} from '../../limits/operations.ts';

const SECONDS = { m: 60, h: 3_600, d: 86_400 } as const;
const MAX_YEARS = 100;
const DURATION = /^(\d{1,6})([mhd])$/;

/** Parses a duration such as `30d`, `12h` or `90m`, in seconds. */
export function parseDuration(text: string): number {
  const parts = DURATION.exec(text);
  if (parts === null)
    throw new UsageError(`${JSON.stringify(text)} is not a duration such as 30d, 12h or 90m.`);
  return Number(parts[1]) * SECONDS[parts[2] as keyof typeof SECONDS];
}

/** Parses a time in Unix seconds: a date or time (ISO 8601, default UTC) or a duration from now. */
export function parseExpiry(text: string, nowMs: number): number {
  const nowSeconds = Math.floor(nowMs / 1000);
  const seconds = DURATION.test(text) ? nowSeconds + parseDuration(text) : parseMoment(text);
  if (seconds <= nowSeconds) throw new UsageError(`${JSON.stringify(text)} is in the past.`);
  if (seconds > nowSeconds + MAX_YEARS * 366 * SECONDS.d) {
    throw new UsageError(
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
    throw new UsageError(
      `${JSON.stringify(text)} is not a date, a time or a duration such as 2031-01-31, 2031-01-31T12:00:00Z or 30d.`,
    );
  }
  return Math.floor(ms / 1000);
}

const MAX_NAME_LENGTH = 100;

export function parseTenant(text: string): string {
  if (TENANT_PATTERN.test(text)) return text;
  throw new UsageError(
    'A tenant name has 1 to 64 letters, digits, dots, dashes and underscores. It begins with a letter or digit.',
  );
}

/** Parses `a,b` to scopes in the order of the table, without duplicates. */
export function parseScopes(text: string): readonly Scope[] {
  const given = text.split(',').map((scope) => scope.trim());
  const wrong = given.filter((scope) => !isScope(scope));
  if (wrong.length > 0) {
    throw new UsageError(
      `${JSON.stringify(wrong.join(','))} is not a scope; the scopes are ${SCOPES.join(', ')}.`,
    );
  }
  return SCOPES.filter((scope) => given.includes(scope));
}

/** Parses `search=500,barcode=1000` as requests a minute. */
export function parseLimits(text: string): OwnLimits {
  return Object.fromEntries(text.split(',').map(parseLimit));
}

/** Parses `search=500,barcode=default`. */
export function parseLimitsChange(text: string): LimitsChange {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const reset = LIMITED_OPERATIONS.find((name) => part.trim() === `${name}=default`);
      return reset === undefined ? parseLimit(part) : [reset, null];
    }),
  );
}

function parseLimit(text: string): [LimitedOperation, number] {
  const parts = /^(\w+)=(\d{1,7})$/.exec(text.trim());
  const operation = LIMITED_OPERATIONS.find((name) => name === parts?.[1]);
  const limit = Number(parts?.[2]);
  if (operation !== undefined && limit >= 1 && limit <= MAX_OWN_LIMIT) return [operation, limit];
  throw new UsageError(
    `${JSON.stringify(text)} is not a limit such as search=500: one of ${LIMITED_OPERATIONS.join(', ')}, and 1 to ${MAX_OWN_LIMIT} requests a minute.`,
  );
}

export function parseName(text: string): string {
  const name = text.trim();
  if (name.length >= 1 && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return name;
  throw new UsageError(`A name has 1 to ${MAX_NAME_LENGTH} characters on one line.`);
}
