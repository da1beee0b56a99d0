import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { laterMoment, momentOf, placeOf } from './eaten-at.ts';

describe('a moment on another day, in Berlin', () => {
  beforeAll(() => {
    vi.stubEnv('TZ', 'Europe/Berlin');
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  it('keeps its time of day, with the offset of the other day', () => {
    // Clocks change on 2026-03-29 and on 2026-10-25.
    expect(laterMoment('2026-03-28T09:15:00+01:00', 1)).toBe('2026-03-29T09:15:00+02:00');
    expect(laterMoment('2026-11-20T09:15:00+01:00', -30)).toBe('2026-10-21T09:15:00+02:00');
    expect(laterMoment('2026-10-24T23:59:30.5+02:00', 1)).toBe('2026-10-25T23:59:30.5+01:00');
    expect(momentOf('2026-10-25', '09:15')).toBe('2026-10-25T09:15:00+01:00');
  });

  it('keeps the offset of elsewhere', () => {
    expect(laterMoment('2026-03-28T09:15:00-05:00', 1)).toBe('2026-03-29T09:15:00-05:00');
    expect(laterMoment('2026-03-28T09:15:00Z', 1)).toBe('2026-03-29T09:15:00Z');
  });

  it('stays as far from the day of its entry', () => {
    const place = { date: '2026-11-27', mealType: 'snacks' } as const;
    const afterMidnight = { date: '2026-11-20', eatenAt: '2026-11-21T00:30:00+01:00' };
    expect(placeOf(afterMidnight, place)).toEqual({ ...place, eatenAt: '2026-11-28T00:30:00+01:00' });
    expect(placeOf({ date: '2026-11-20' }, place)).toEqual(place);
    expect(placeOf({ ...afterMidnight, date: place.date }, place)).toEqual(place);
  });
});
