import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysBefore, understandDay } from './days.ts';

const at = (time: string, timeZone?: string) => ({ timeZone, nowMs: () => Date.parse(time) });

describe('understandDay', () => {
  it.each([
    // Times on both sides of midnight, of the date line and of a clock change.
    ['today', '2026-03-29T00:30:00+01:00', 'Europe/Berlin', '2026-03-29', 'Sunday'],
    ['today', '2026-03-28T22:59:59Z', 'Europe/Berlin', '2026-03-28', 'Saturday'],
    ['yesterday', '2026-03-29T22:30:00Z', 'Europe/Berlin', '2026-03-29', 'Sunday'],
    ['today', '2026-01-01T10:30:00Z', 'Pacific/Kiritimati', '2026-01-02', 'Friday'],
    ['yesterday', '2026-01-01T10:30:00Z', 'Pacific/Pago_Pago', '2025-12-30', 'Tuesday'],
    [' Today ', '2026-01-01T10:30:00Z', 'UTC', '2026-01-01', 'Thursday'],
    [undefined, '2026-01-01T10:30:00Z', 'UTC', '2026-01-01', 'Thursday'],
  ])('%s at %s in %s is %s', (given, time, zone, date, weekday) => {
    expect(understandDay(given, at(time, zone))).toMatchObject({ date, weekday });
  });

  it('says where the date comes from', () => {
    expect(understandDay('2026-01-31', at('2026-01-01T00:00:00Z')).understoodAs).toBe('as given');
    expect(understandDay('yesterday', at('2026-01-01T10:30:00Z', 'Asia/Tokyo')).understoodAs).toBe(
      'yesterday in Asia/Tokyo, where it is 19:30',
    );
  });

  it.each(['today', 'yesterday', undefined])('never guesses a time zone for %s', (given) => {
    expect(() => understandDay(given, at('2026-01-01T10:30:00Z'))).toThrow(/give "timeZone".*or "date" as/);
  });

  it.each(['2026-02-30', 'tomorrow', '31.1.2026', ''])('rejects %j', (given) => {
    expect(() => understandDay(given, at('2026-01-01T10:30:00Z', 'UTC'), 'from')).toThrow(
      /"from" must be a real date/,
    );
  });
});

it('daysBefore goes back whole days', () => {
  const days = fc.date({ min: new Date('1000-01-01'), max: new Date('9000-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(days, fc.integer({ min: 0, max: 400 }), (date, count) => {
      const day = understandDay(date.toISOString().slice(0, 10), at('2026-01-01T00:00:00Z')).date;
      let naive: Date = new Date(`${day}T00:00:00Z`);
      for (let i = 0; i < count; i++)
        naive = new Date(Date.UTC(naive.getUTCFullYear(), naive.getUTCMonth(), naive.getUTCDate() - 1));
      expect(daysBefore(day, count)).toBe(naive.toISOString().slice(0, 10));
    }),
  );
});
