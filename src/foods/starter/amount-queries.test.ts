import { beforeAll, expect, test } from 'vitest';
import { AMOUNT_QUERIES, NAMES_LIKE_AMOUNTS } from '../../../test/support/amount-queries.ts';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { readStarterFoods } from './starter-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

const names = (query: string, limit: number) => catalogue.search(query, limit).map((food) => food.name);

test.each(AMOUNT_QUERIES)('"%s" and "%s" have the same first result: %s', (query, words, name) => {
  expect(names(words, 1)).toEqual([name]);
  expect(names(query, 1)).toEqual([name]);
});

test.each(NAMES_LIKE_AMOUNTS)('"%s" is the name of %s', (query, name) => {
  expect(names(query, 1)).toEqual([name]);
});

test('a shorter result is the beginning of a longer one, and equals that of an explanation', () => {
  for (const [query] of [...AMOUNT_QUERIES, ...NAMES_LIKE_AMOUNTS]) {
    const many = catalogue.search(query, 100).map(({ id }) => id);
    expect(new Set(many).size).toBe(many.length);
    for (const limit of [1, 3, 9, 20]) {
      const few = catalogue.search(query, limit).map(({ id }) => id);
      expect(few, `${limit} for "${query}"`).toEqual(many.slice(0, limit));
      expect(catalogue.explain(query, limit).hits.map(({ food }) => food.id)).toEqual(few);
    }
  }
});

test('an explanation shows the plans without the amount', () => {
  const { tokens, plans } = catalogue.explain('2 eggs', 3);
  expect(tokens).toEqual(['2', 'eggs']);
  expect(plans[0]!.reading).toBe('as typed');
  expect(plans.map(({ reading }) => reading)).toContain('without the amount, as typed');
});
