import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { manualFood } from '../../../test/support/manual-food.ts';
import { runs } from '../../../test/support/runs.ts';
import type { Food, FoodId } from '../food.ts';
import { LiveIndex } from './live-index.ts';

const WORDS = ['apple', 'bread', 'carrot', 'dill', 'eggs', 'fennel', 'grapes', 'honey'];

interface Write {
  readonly key: number;
  readonly words: readonly string[];
  readonly deleted: boolean;
}

const arbitraryBatches = fc.array(
  fc.array(
    fc.record<Write>({
      key: fc.nat({ max: 30 }),
      words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
      deleted: fc.boolean(),
    }),
    { maxLength: 12 },
  ),
  { maxLength: 12 },
);

describe('an index that can be written to', () => {
  test('holds exactly the latest of each food, whatever was written in whatever batches', () => {
    fc.assert(
      fc.property(arbitraryBatches, (batches) => {
        const index = new LiveIndex();
        const naive = new Map<FoodId, Food>();
        for (const batch of batches) {
          const changes = batch.map(({ key, words, deleted }) => {
            const food = manualFood({ key: `${key}`, name: words.join(' ') });
            if (deleted) naive.delete(food.id);
            else naive.set(food.id, food);
            return { id: food.id, ...(!deleted && { food }) };
          });
          index.apply(changes);
        }
        expect(index.size).toBe(naive.size);
        for (const word of WORDS) {
          const expected = [...naive.values()].filter(({ name }) => name.split(' ').includes(word));
          const found = index.search(word, 100).map(({ food }) => food);
          expect(
            found
              .filter(({ name }) => name.includes(word))
              .map(({ id }) => id)
              .sort(),
          ).toEqual(expected.map(({ id }) => id).sort());
          for (const food of found) expect(naive.get(food.id)).toBe(food);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  test('answers best first and no more than asked for, over all that was written one by one', () => {
    const index = new LiveIndex();
    for (let at = 0; at < 150; at++) {
      const food = manualFood({ key: `${at}`, name: `Jam number ${at}`, popularity: at % 256 });
      index.apply([{ id: food.id, food }]);
    }
    const hits = index.search('jam', 10);
    expect(hits).toHaveLength(10);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
    expect(index.search('jam', 200)).toHaveLength(150);
  });

  test('deleted and changed foods hide no others, however many come before these', () => {
    const foods = Array.from({ length: 6_000 }, (_, at) =>
      manualFood({ key: `${at}`.padStart(4, '0'), name: `Menu item ${`${at}`.padStart(4, '0')}` }),
    );
    const index = new LiveIndex();
    index.apply(foods.map((food) => ({ id: food.id, food })));
    // More than are answered with, and more than a list is followed for in vain, but too few to index the rest anew.
    const [deleted, changed, left] = [foods.slice(0, 200), foods.slice(200, 700), foods.slice(700)];
    index.apply(deleted.map(({ id }) => ({ id })));
    index.apply(changed.map((food) => ({ id: food.id, food: { ...food, name: 'Plum jam' } })));
    const found = index.search('menu item', 20).map(({ food }) => food);
    expect(found).toEqual(left.slice(0, 20));
    expect(index.search('menu item 0100', 100).map(({ food }) => food.id)).not.toContain(foods[100]!.id);
  });
});
