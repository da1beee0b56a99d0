import { expect, test } from 'vitest';
import { leakIn } from './leaks.ts';

test.each([
  ['a stack', 'Error: x\n    at handle (file:///srv/larder/src/api/operation.ts:1:2)'],
  ['a path', 'The file /tmp/larder/data/larder.db is locked.'],
  ['an error of the database', 'SqliteError: database is locked'],
  ['an error of the system', 'connect ECONNREFUSED 10.0.0.1:5432'],
])('%s is a leak', (_, body) => {
  expect(leakIn({ status: 400, body })).toBeDefined();
});

test('an error of the API is none, nor is an answer', () => {
  const body = '{"error":{"code":"not_found","message":"There is nothing at this address; see /docs."}}';
  expect(leakIn({ status: 404, body })).toBeUndefined();
  expect(leakIn({ status: 200, body: 'see /tmp/x' })).toBeUndefined();
});
