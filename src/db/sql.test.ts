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

test('an empty list is rejected, because databases treat it differently', () => {
  expect(() => list([])).toThrow(RangeError);
});

test('a prepared statement keeps its name and its text, whatever its values', () => {
  const find = (id: string) => sql`select name from foods where id = ${id}`.prepared('find').compile();
  expect(find('a')).toEqual({ name: 'find', sql: 'select name from foods where id = $1', values: ['a'] });
  expect(find("'; drop table foods").sql).toBe(find('a').sql);
});
