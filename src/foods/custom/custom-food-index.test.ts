import type { Food, FoodId } from '@larder/core/food.ts';
import { SearchIndexBuilder } from '@larder/search/index/index-builder.ts';
import { runAll, type Steps } from '@larder/search/index/steps.ts';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { customFood } from '../../../test/support/custom-food.ts';
import { runs } from '../../../test/support/runs.ts';
import { CustomFoodIndex } from './custom-food-index.ts';

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
/** A batch of writes, or a number of steps of indexing or of rebuilding. */
const action = fc.oneof(batch, fc.record({ index: fc.nat({ max: 12 }), rebuild: fc.nat({ max: 12 }) }));

/** One kind of work on an index, which runs a few steps at a time. */
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

/** The foods that contain the word itself; search finds similar words, too. */
const found = (index: CustomFoodIndex, word: string) =>
  naive(
    index.search(word, 100).map(({ food }) => food),
    word,
  );

const ids = (foods: readonly Food[]) => foods.map(({ id }) => id).toSorted();

function toIndex(foods: readonly Food[]): CustomFoodIndex {
  const index = new CustomFoodIndex();
  for (const food of foods) index.put(food);
  runAll(index.index());
  return index;
}

describe('an index that can be written to', () => {
  test('between any steps of its work it finds nothing that was changed, and everything that it found before', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const index = new CustomFoodIndex();
        const latest = new Map<FoodId, Food>();
        /** Foods that have been findable since they were written. */
        const findable = new Map<FoodId, Food>();
        const indexing = new Work(() => index.index());
        const rebuilding = new Work(() => index.rebuild());
        const apply = ({ key, words, deleted }: Write) => {
          const food = customFood({ key: `${key}`, name: words.join(' ') });
          findable.delete(food.id);
          if (deleted) latest.delete(food.id);
          else latest.set(food.id, food);
          if (deleted) index.remove(food.id);
          else index.put(food);
        };
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
            for (const write of act) apply(write);
          } else {
            indexing.do(act.index);
            rebuilding.do(act.rebuild);
          }
          check();
        }
        indexing.finish();
        expect(index.isComplete).toBe(true);
        check();
        rebuilding.finish();
        check();
        for (const word of WORDS) expect(ids(found(index, word))).toEqual(ids(naive(latest.values(), word)));
      }),
      { numRuns: runs(150) },
    );
  });

  test('returns the best first and at most the limit, over all single writes', () => {
    const index = new CustomFoodIndex();
    for (let at = 0; at < 150; at++) {
      const food = customFood({ key: `${at}`, name: `Jam number ${at}`, popularity: at % 256 });
      index.put(food);
      runAll(index.index());
      if (at % 7 === 0) runAll(index.rebuild());
    }
    const hits = index.search('jam', 10);
    expect(hits).toHaveLength(10);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
    expect(index.search('jam', 200)).toHaveLength(150);
  });

  test('foods written one by one are each indexed few times, and never all at once', () => {
    const add = vi.spyOn(SearchIndexBuilder.prototype, 'add');
    const index = new CustomFoodIndex();
    let mostAtOnce = 0;
    for (let at = 0; at < 1_000; at++) {
      index.put(customFood({ key: `${at}`.padStart(3, '0'), name: `Jam ${`${at}`.padStart(3, '0')}` }));
      const before = add.mock.calls.length;
      runAll(index.index());
      mostAtOnce = Math.max(mostAtOnce, add.mock.calls.length - before);
      runAll(index.rebuild());
    }
    const indexed = add.mock.calls.length;
    add.mockRestore();
    // About √500 at a time, half of them on average, and √2000 for each write by rebuilding.
    expect(mostAtOnce).toBeLessThan(30);
    expect(indexed).toBeLessThan(50 * 1_000);
    expect(index.search('jam', 200)).toHaveLength(200);
  });

  test('has at most three parts, even if rebuilding has no turn', () => {
    const index = new CustomFoodIndex();
    for (let at = 0; at < 300; at++) {
      index.put(customFood({ key: `${at}`, name: `Jam ${at}` }));
      runAll(index.index());
      // Each part takes some 25 kB, whatever it contains.
      expect(index.bytes).toBeLessThan(3 * 25_000 + 300 * 500);
    }
    expect(index.search('jam', 200)).toHaveLength(200);
  });

  test('writes during a rebuild are found before and after it', () => {
    const index = toIndex(Array.from({ length: 200 }, (_, at) => customFood({ key: `${at}`, name: 'Jam' })));
    for (let at = 200; at < 400; at++) index.put(customFood({ key: `${at}`, name: 'Jam' }));
    runAll(index.index());
    const rebuilding = index.rebuild();
    rebuilding.next();
    index.put(customFood({ key: 'late', name: 'Quince' }));
    index.remove(customFood({ key: '0' }).id);
    index.remove(customFood({ key: '399' }).id);
    runAll(index.index());
    for (const finish of [() => {}, () => runAll(rebuilding)]) {
      finish();
      expect(index.search('quince', 5)).toHaveLength(1);
      const jams = index.search('jam', 1_000).map(({ food }) => food.id);
      expect(jams).not.toContain(customFood({ key: '0' }).id);
      expect(jams).not.toContain(customFood({ key: '399' }).id);
    }
  });

  test('foods folded while the large part is rebuilt without deleted ones are kept', () => {
    const foods = Array.from({ length: 20 }, (_, at) => customFood({ key: `${at}`, name: 'Jam' }));
    const index = toIndex(foods);
    for (const { id } of foods.slice(0, 10)) index.remove(id);
    const rebuilding = index.rebuild();
    rebuilding.next();
    for (let at = 20; at < 40; at++) index.put(customFood({ key: `${at}`, name: 'Jam' }));
    runAll(index.index());
    runAll(rebuilding);
    expect(index.search('jam', 100)).toHaveLength(30);
  });

  test('deleted and changed foods hide no others, however many precede these', () => {
    const foods = Array.from({ length: 6_000 }, (_, at) =>
      customFood({ key: `${at}`.padStart(4, '0'), name: `Menu item ${`${at}`.padStart(4, '0')}` }),
    );
    const index = toIndex(foods);
    // More than the limit of results, and more than the maximum of skipped entries in a list.
    const [deleted, changed, left] = [foods.slice(0, 200), foods.slice(200, 700), foods.slice(700)];
    for (const { id } of deleted) index.remove(id);
    for (const food of changed) index.put({ ...food, name: 'Plum jam' });
    runAll(index.index());
    const items = index.search('menu item', 20).map(({ food }) => food);
    expect(items).toEqual(left.slice(0, 20));
    expect(index.search('menu item 0100', 100).map(({ food }) => food.id)).not.toContain(foods[100]!.id);
  });
});
