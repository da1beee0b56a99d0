import type { Food, FoodId } from '@larder/core/food.ts';
import { runAll, type Steps } from '@larder/search/index/steps.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { manualFood } from '../../../test/support/manual-food.ts';
import { runs } from '../../../test/support/runs.ts';
import { TieredIndex } from './tiered-index.ts';

const WORDS = ['apple', 'bread', 'carrot', 'dill', 'eggs', 'fennel', 'grapes', 'honey'];

interface Write {
  readonly key: number;
  readonly words: readonly string[];
  readonly deleted: boolean;
}

const batch = fc.array(
  fc.record<Write>({
    key: fc.nat({ max: 30 }),
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
    deleted: fc.boolean(),
  }),
  { maxLength: 12 },
);
/** A batch of writes, or so many steps of indexing and of merging. */
const action = fc.oneof(batch, fc.record({ index: fc.nat({ max: 12 }), merge: fc.nat({ max: 12 }) }));

/** One kind of work on an index, of which a few steps are done at a time. */
class Work {
  readonly #begin: () => Steps<void>;
  #steps: Steps<void> | undefined;

  constructor(begin: () => Steps<void>) {
    this.#begin = begin;
  }

  do(steps: number): void {
    for (let step = 0; step < steps; step++) {
      this.#steps ??= this.#begin();
      if (this.#steps.next().done === true) this.#steps = undefined;
    }
  }

  finish(): void {
    if (this.#steps !== undefined) runAll(this.#steps);
    this.#steps = undefined;
    runAll(this.#begin());
  }
}

/** Searches the foods one by one. */
const naive = (foods: Iterable<Food>, word: string) =>
  [...foods].filter(({ name }) => name.split(' ').includes(word));

/** The foods that hold the word itself; search finds similar words as well. */
const found = (index: TieredIndex, word: string) =>
  naive(
    index.search(word, 100).map(({ food }) => food),
    word,
  );

const ids = (foods: readonly Food[]) => foods.map(({ id }) => id).toSorted();

function toIndex(foods: readonly Food[]): TieredIndex {
  const index = new TieredIndex();
  index.apply(foods.map((food) => ({ id: food.id, food })));
  runAll(index.index());
  return index;
}

describe('an index that can be written to', () => {
  test('between any steps of its work it finds nothing that was changed, and all that it found before', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const index = new TieredIndex();
        const latest = new Map<FoodId, Food>();
        /** What has been findable since it was written. */
        const findable = new Map<FoodId, Food>();
        const indexing = new Work(() => index.index());
        const merging = new Work(() => index.merge());
        const check = () => {
          if (index.isComplete) for (const [id, food] of latest) findable.set(id, food);
          for (const word of WORDS) {
            const foods = found(index, word);
            expect(ids(foods)).toEqual(expect.arrayContaining(ids(naive(findable.values(), word))));
            for (const food of foods) {
              expect(latest.get(food.id)).toBe(food);
              findable.set(food.id, food);
            }
            expect(new Set(ids(foods)).size).toBe(foods.length);
          }
        };
        for (const act of actions) {
          if (Array.isArray(act)) {
            const changes = act.map(({ key, words, deleted }) => {
              const food = manualFood({ key: `${key}`, name: words.join(' ') });
              findable.delete(food.id);
              if (deleted) latest.delete(food.id);
              else latest.set(food.id, food);
              return { id: food.id, ...(!deleted && { food }) };
            });
            index.apply(changes);
          } else {
            indexing.do(act.index);
            merging.do(act.merge);
          }
          check();
        }
        indexing.finish();
        expect([index.isComplete, index.size]).toEqual([true, latest.size]);
        check();
        merging.finish();
        check();
        for (const word of WORDS) expect(ids(found(index, word))).toEqual(ids(naive(latest.values(), word)));
      }),
      { numRuns: runs(150) },
    );
  });

  test('answers best first and no more than asked for, over all that was written one by one', () => {
    const index = new TieredIndex();
    for (let at = 0; at < 150; at++) {
      const food = manualFood({ key: `${at}`, name: `Jam number ${at}`, popularity: at % 256 });
      index.apply([{ id: food.id, food }]);
      runAll(index.index());
      if (at % 7 === 0) runAll(index.merge());
    }
    const hits = index.search('jam', 10);
    expect(hits).toHaveLength(10);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
    expect(index.search('jam', 200)).toHaveLength(150);
  });

  test('is made of few parts even where merging has no turn', () => {
    const index = new TieredIndex();
    let bytes = 0;
    for (let at = 0; at < 300; at++) {
      const food = manualFood({ key: `${at}`, name: `Jam ${at}` });
      index.apply([{ id: food.id, food }]);
      runAll(index.index());
      bytes = Math.max(bytes, index.bytes);
    }
    // Each part takes some 25 kB, whatever it holds.
    expect(bytes).toBeLessThan(20 * 25_000 + 300 * 500);
    expect(index.search('jam', 200)).toHaveLength(200);
  });

  test('deleted and changed foods hide no others, however many come before these', () => {
    const foods = Array.from({ length: 6_000 }, (_, at) =>
      manualFood({ key: `${at}`.padStart(4, '0'), name: `Menu item ${`${at}`.padStart(4, '0')}` }),
    );
    const index = toIndex(foods);
    // More than are answered with, and more than a list is followed for in vain.
    const [deleted, changed, left] = [foods.slice(0, 200), foods.slice(200, 700), foods.slice(700)];
    index.apply(deleted.map(({ id }) => ({ id })));
    index.apply(changed.map((food) => ({ id: food.id, food: { ...food, name: 'Plum jam' } })));
    runAll(index.index());
    const items = index.search('menu item', 20).map(({ food }) => food);
    expect(items).toEqual(left.slice(0, 20));
    expect(index.search('menu item 0100', 100).map(({ food }) => food.id)).not.toContain(foods[100]!.id);
  });
});
