import { expect, test } from 'vitest';
import { list, raw, sql } from './sql.ts';

test('values are parameters in the order of the text, parts become text', () => {
  const condition = sql`tenant_id = ${'acme'} and id in (${list(['a', 'b'])})`;
  const query = sql`select ${raw('id')} from foods where ${condition} limit ${2}`;
  expect(query.compile()).toEqual({
    sql: 'select id from foods where tenant_id = $1 and id in ($2, $3) limit $4',
    values: ['acme', 'a', 'b', 2],
  });
});

test('a value that looks like SQL is a value', () => {
  expect(sql`select ${'1; drop table foods'}`.compile()).toEqual({
    sql: 'select $1',
    values: ['1; drop table foods'],
  });
});

test('an empty list is refused here, since engines read it differently', () => {
  expect(() => list([])).toThrow(RangeError);
});
