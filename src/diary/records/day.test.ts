import { AppError } from '@larder/core/errors.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentText } from '../../api/text-schemas.ts';
import { daysOf, isDay, MAX_RANGE_DAYS, parseDay, parseDayRange, parseMoment, todayIn } from './day.ts';

/** A simple calendar for comparison. */
function daysInMonth(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

describe('day', () => {
  test('exactly the dates of the calendar are valid days', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.nat(32),
        (y, m, d) => {
          const text = `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
          expect(isDay(text)).toBe(d >= 1 && d <= daysInMonth(y, m));
        },
      ),
    );
  });

  test.each([
    '',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '0000-01-01',
    'today',
    '2026-13-01',
  ])('"%s" is refused, and the field is named', (text) => {
    expect(() => parseDay(text)).toThrow(AppError);
    expect(() => parseDay(text)).toThrow(/"date"/);
  });

  test('a range lists each of its days once, in order, over month, year and leap day', () => {
    expect(daysOf(parseDayRange('2024-02-28', '2024-03-01'))).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
    expect(daysOf(parseDayRange('2024-01-01', '2024-12-31'))).toHaveLength(MAX_RANGE_DAYS);
  });

  test('a reversed range and one over a year are refused', () => {
    expect(() => parseDayRange('2024-03-02', '2024-03-01')).toThrow(/"to"/);
    expect(() => parseDayRange('2023-01-01', '2024-01-02')).toThrow(/367 days/);
  });

  test('today depends on the time zone', () => {
    const nowMs = Date.UTC(2026, 2, 31, 23, 30);
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'Asia/Kolkata'];
    expect(zones.map((zone) => todayIn(zone, nowMs))).toEqual([
      '2026-03-31',
      '2026-04-01',
      '2026-03-31',
      '2026-04-01',
      '2026-04-01',
    ]);
    expect(isDay(todayIn('UTC', Date.UTC(2027, 0, 5)))).toBe(true);
    for (const zone of ['', 'Mars/Olympus', 'Europe']) {
      expect(() => todayIn(zone, nowMs)).toThrow(/"timeZone"/);
    }
  });
});

/** The pattern in the OpenAPI document, which must agree with the parser. */
const pattern = new RegExp(momentText.meta()!.pattern as string);

test.each([
  '2026-01-31T12:30:00Z',
  '2026-01-31T00:00:00-00:00',
  '2024-02-29T23:59:59.123456789+05:45',
  '0001-01-01T00:00:00-23:59',
])('%s is a time, and is kept as written', (text) => {
  expect(parseMoment(text, 'eatenAt')).toBe(text);
  expect(text).toMatch(pattern);
});

test.each([
  '2026-01-31',
  '2026-01-31T12:30:00',
  '2026-01-31T12:30Z',
  '2026-01-31 12:30:00Z',
  '2026-02-29T12:30:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T23:59:60Z',
  '2026-01-31T12:30:00.Z',
  '2026-01-31T12:30:00.1234567890Z',
  '2026-01-31T12:30:00+24:00',
  '2026-01-31T12:30:00+0100',
  '2026-01-31T12:30:00Z\n',
  '+002026-01-31T12:30:00Z',
])('%j is refused, and the field is named', (text) => {
  expect(() => parseMoment(text, 'eatenAt')).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: { fields: ['eatenAt'] } }),
  );
  // In some languages, unlike JavaScript, `$` matches before a line break at the end.
  expect(text).not.toMatch(pattern);
});
