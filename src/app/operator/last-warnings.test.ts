import { expect, test } from 'vitest';
import { LastWarnings, MAX_WARNINGS, mergeWarnings } from './last-warnings.ts';

const time = (second: number) => new Date(Date.UTC(2026, 0, 1) + 1000 * second).toISOString();
const line = (fields: object) => `${JSON.stringify(fields)}\n`;

test('a warning names the request or the error that it is about', () => {
  const warnings = new LastWarnings();
  const request = { method: 'GET', route: '/v1/foods/search', status: 200, durationMs: 1234.4 };
  warnings.take(line({ level: 'warn', time: time(1), msg: 'request', ...request }));
  warnings.take(line({ level: 'error', time: time(2), thread: 1, msg: 'read', err: { message: 'no disk' } }));
  expect(warnings.all()).toEqual([
    { loggedAt: time(1), level: 'warn', message: 'request GET /v1/foods/search: 200 after 1234 ms' },
    { loggedAt: time(2), level: 'error', message: 'read: no disk', thread: 1 },
  ]);
});

test('other levels are left out, and of many warnings the last remain', () => {
  const warnings = new LastWarnings();
  warnings.take(line({ level: 'info', time: time(0), msg: 'listening' }));
  for (let at = 0; at <= MAX_WARNINGS; at++)
    warnings.take(line({ level: 'warn', time: time(at), msg: `${at}` }));
  expect(warnings.all()).toHaveLength(MAX_WARNINGS);
  expect(warnings.all()[0]!.message).toBe('1');
});

test('the warnings of all threads are merged, newest first', () => {
  const of = (...seconds: number[]) =>
    seconds.map((second) => ({ loggedAt: time(second), level: 'warn', message: `${second}` }) as const);
  const merged = mergeWarnings([of(1, 4), of(2, 3)]);
  expect(merged.map(({ message }) => message)).toEqual(['4', '3', '2', '1']);
});
