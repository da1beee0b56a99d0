import { BusyError, ConstraintError } from '@larder/core/errors.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { isOutage, toOutage, toUnreachable } from './database-outage.ts';

const told = (code: string) => Object.assign(new pg.DatabaseError('told', 4, 'error'), { code });

test.each(['08006', '53300', '57014', '57P01', '58030', '25006', '25P03'])(
  'the PostgreSQL error %s is an outage',
  (code) => {
    expect(isOutage(told(code))).toBe(true);
  },
);

test.each(['23505', '42P01', '40001', '25001'])('the PostgreSQL error %s is not an outage', (code) => {
  expect(isOutage(told(code))).toBe(false);
});

test.each(['40001', '40P01'])(
  'a statement that yielded to another transaction, %s, may be retried on the same connection',
  (code) => {
    expect(isOutage(told(code))).toBe(false);
    expect(toOutage(told(code))).toBeInstanceOf(BusyError);
  },
);

test('a constraint violation differs from an invalid statement', () => {
  expect(toOutage(told('23505'))).toBeInstanceOf(ConstraintError);
  const fault = told('42601');
  expect(toOutage(fault)).toBe(fault);
});

test('a slow statement differs from an unresponsive server', () => {
  expect(toOutage(told('57014'))).toBeInstanceOf(BusyError);
  expect(toOutage(told('57P01'))).not.toBeInstanceOf(BusyError);
});

test('a statement that was never sent is an outage', () => {
  expect(isOutage(new Error('connect ECONNREFUSED'))).toBe(true);
});

test('the reason of a failed connection is named for each of several addresses', () => {
  const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(toUnreachable(cause).message).toBe('no connection to PostgreSQL: ECONNREFUSED');
});
