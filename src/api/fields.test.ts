import { expect, it } from 'vitest';
import { isoTime } from './fields.ts';

const DAY_MS = 86_400_000;

it.each([0, 1, -1, DAY_MS - 1, DAY_MS, -DAY_MS, 1_709_164_800_000, 253_402_300_800_000, 1_795_782_068_454])(
  'writes %i as Date does',
  (unixMs) => {
    expect(isoTime(unixMs)).toBe(new Date(unixMs).toISOString());
  },
);

it('writes times of many days as Date does, in whichever order', () => {
  for (let at = 0; at < 2_000; at++) {
    const unixMs = (at * 7_919 * DAY_MS + at * 1_234_567) % 4_102_444_800_000;
    expect(isoTime(unixMs)).toBe(new Date(unixMs).toISOString());
  }
});

it('refuses what is no time, as Date does', () => {
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
});
