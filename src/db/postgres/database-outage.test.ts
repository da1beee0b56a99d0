import { BusyError, ConstraintError } from '@larder/core/errors.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { isOutage, toOutage, toUnreachable } from './database-outage.ts';

const told = (code: string) => Object.assign(new pg.DatabaseError('told', 4, 'error'), { code });

test.each(['08006', '53300', '57014', '57P01', '58030', '25006', '25P03'])(
  'what PostgreSQL tells as %s is an outage',
  (code) => {
    expect(isOutage(told(code))).toBe(true);
  },
);

test.each(['23505', '42P01', '40001', '25001'])('what it tells as %s is no outage', (code) => {
  expect(isOutage(told(code))).toBe(false);
});

test.each(['40001', '40P01'])(
  'who gave way to another transaction, %s, may try again on the same connection',
  (code) => {
    expect(isOutage(told(code))).toBe(false);
    expect(toOutage(told(code))).toBeInstanceOf(BusyError);
  },
);

test('a row that contradicts others is told from a fault of a statement', () => {
  expect(toOutage(told('23505'))).toBeInstanceOf(ConstraintError);
  const fault = told('42P01');
  expect(toOutage(fault)).toBe(fault);
});

test('what took too long is told apart from a server that does not answer', () => {
  expect(toOutage(told('57014'))).toBeInstanceOf(BusyError);
  expect(toOutage(told('57P01'))).not.toBeInstanceOf(BusyError);
});

test('what never reached it is an outage', () => {
  expect(isOutage(new Error('connect ECONNREFUSED'))).toBe(true);
});

test('why it cannot be reached is told where a name has several addresses, too', () => {
  const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(toUnreachable(cause).message).toBe('no connection to PostgreSQL: ECONNREFUSED');
});
