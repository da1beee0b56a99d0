import pg from 'pg';
import { expect, test } from 'vitest';
import { OutageError } from '../../errors.ts';
import { isOutage, reportOutages, requireRoom } from './outage-pool.ts';

const told = (code: string) => Object.assign(new pg.DatabaseError('told', 4, 'error'), { code });

test.each(['08006', '53300', '57014', '57P01', '58030'])(
  'what PostgreSQL tells as %s is an outage',
  (code) => {
    expect(isOutage(told(code))).toBe(true);
  },
);

test.each(['23505', '42P01', '40001'])('what it tells as %s is no outage', (code) => {
  expect(isOutage(told(code))).toBe(false);
});

test('a database that cannot be reached is an outage', async () => {
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1 });
  await expect(reportOutages(pool).connect()).rejects.toThrow(OutageError);
  await pool.end();
});

test('queries beyond the limit do not wait', () => {
  expect(() => requireRoom({ waitingCount: 999 })).not.toThrow();
  expect(() => requireRoom({ waitingCount: 1_000 })).toThrow(OutageError);
});
