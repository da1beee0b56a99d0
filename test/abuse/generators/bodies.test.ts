import { expect, test } from 'vitest';
import { formBomb, manyFields, nested, ODD_VALUES } from './bodies.ts';

test.each(['arrays', 'objects', 'both'] as const)('nested %s are JSON of just so many levels', (form) => {
  let value: unknown = JSON.parse(nested(50, form));
  let levels = 0;
  for (; typeof value === 'object'; levels++) [value] = Object.values(value as object);
  expect([levels, value]).toEqual([50, 1]);
});

test('all fields of an object and a form differ', () => {
  expect(Object.keys(JSON.parse(manyFields(5_000)))).toHaveLength(5_000);
  expect(new Set(new URLSearchParams(formBomb(5_000)).keys()).size).toBe(5_000);
});

test('odd values are JSON', () => {
  for (const text of ODD_VALUES) expect(() => JSON.parse(text)).not.toThrow();
});
