import { OperatorError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { parseDuration, parseExpiry } from './options.ts';

const NOW_MS = Date.parse('2030-06-15T12:00:00Z');
const seconds = (iso: string) => Date.parse(iso) / 1000;

test.each([
  ['30d', '2030-07-15T12:00:00Z'],
  ['12h', '2030-06-16T00:00:00Z'],
  ['90m', '2030-06-15T13:30:00Z'],
  ['2031-01-31', '2031-01-31T00:00:00Z'],
  ['2031-01-31T08:00', '2031-01-31T08:00:00Z'],
  ['2031-01-31T08:00:00Z', '2031-01-31T08:00:00Z'],
  ['2031-01-31T08:00:00+02:00', '2031-01-31T06:00:00Z'],
])('%s means %s', (text, moment) => {
  expect(parseExpiry(text, NOW_MS)).toBe(seconds(moment));
});

test.each([
  '',
  '30',
  '30x',
  '-1d',
  '0d',
  'tomorrow',
  '2031-02-30',
  '2031-13-01',
  '2031-01-31T25:00',
  '2030-06-15',
  '2020-01-01',
  '999999d',
])('%j is refused in one sentence', (text) => {
  expect(() => parseExpiry(text, NOW_MS)).toThrow(OperatorError);
});

test('the error for an invalid expiry names both accepted forms', () => {
  expect(() => parseExpiry('tomorrow', NOW_MS)).toThrow(/2031-01-31.* or 30d/);
});

test('a duration is a number and a unit', () => {
  expect(parseDuration('24h')).toBe(86_400);
  expect(() => parseDuration('2031-01-31')).toThrow(OperatorError);
});
