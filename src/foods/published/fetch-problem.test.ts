import { expect, test } from 'vitest';
import { backoffAfter, COPY_PROBLEMS } from './fetch-problem.ts';

test('an outage is retried every few seconds, other problems with growing pauses', () => {
  const maxMs = COPY_PROBLEMS.map((code) => [code, backoffAfter({ code }).maxMs]);
  expect(Object.fromEntries(maxMs)).toEqual({
    database_unavailable: 2_000,
    store_unavailable: 2_000,
    missing: 60_000,
    damaged: 60_000,
    unsupported_format: 60_000,
    disk_full: 60_000,
    cannot_write: 60_000,
    cannot_load: 60_000,
  });
});
