import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manualFood } from '../../../test/support/manual-food.ts';
import { type Database, openDatabase, toSql } from '../../adapters/embedded/database.ts';
import { SqlLiveFoodStore } from '../../adapters/sql/live-food-store.ts';
import type { FoodDraft } from './food-draft.ts';
import { EVERY_TENANT } from './live-food.ts';
import { LiveFoodWriter } from './live-food-writer.ts';
import { LiveFoods } from './live-foods.ts';
import { RevisionCell } from './revision-cell.ts';

const draft: FoodDraft = {
  name: 'Plum jam',
  barcode: '4006381333931',
  servingSize: { value: 20, unit: 'g' },
  macros: { energy: 48, protein: 0.1, fat: 0, carbohydrates: 12 },
};

describe('live foods over several threads', () => {
  let dir: string;
  let db: Database;
  let store: SqlLiveFoodStore;
  let memory: SharedArrayBuffer;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'larder-live-'));
    db = await openDatabase({ file: join(dir, 'larder.db') });
    store = new SqlLiveFoodStore(toSql(db));
    memory = RevisionCell.createMemory();
  });
  afterEach(async () => {
    await db.destroy();
    await rm(dir, { recursive: true });
  });

  /** What one API thread has; all share the store and the cell's memory. */
  function thread() {
    const cell = new RevisionCell({ memory });
    let keys = 0;
    return {
      foods: new LiveFoods({ store, cell }),
      writer: new LiveFoodWriter({
        store,
        cell,
        nowMs: () => 1_700_000_000_000,
        newKey: () => `key${keys++}`,
      }),
    };
  }

  test('a thread knows at once that another wrote, and has read it before it answers', async () => {
    const [a, b] = [thread(), thread()];
    expect(b.foods.isCurrent).toBe(true);
    const { food } = await a.writer.create('acme', draft);
    expect(b.foods.isCurrent).toBe(false);
    await b.foods.catchUp();
    expect(b.foods.isCurrent).toBe(true);
    const { own } = b.foods.of('acme');
    expect(own.findById(food.id)).toEqual(food);
    expect(own.findByGtin(food.gtin!)).toEqual(food);
    expect(own.search('plum', 5).map((hit) => hit.food)).toEqual([food]);
    expect(b.foods.of('other').own.findById(food.id)).toBeUndefined();
  });

  test('changes and deletions are followed, the barcode too', async () => {
    const [a, b] = [thread(), thread()];
    const { food } = await a.writer.create('acme', draft);
    await a.writer.change('acme', food.id, { name: 'Quince jelly', barcode: null });
    await b.foods.catchUp();
    const { own } = b.foods.of('acme');
    expect(own.findByGtin(food.gtin!)).toBeUndefined();
    expect(own.search('plum', 5)).toEqual([]);
    expect(own.search('quince', 5)).toHaveLength(1);
    await a.writer.remove('acme', food.id);
    await b.foods.catchUp();
    expect(own.findById(food.id)).toBeUndefined();
    expect(own.search('quince', 5)).toEqual([]);
  });

  test('a thread that starts later, or after a crash, has everything', async () => {
    const a = thread();
    await a.writer.put(EVERY_TENANT, manualFood({ key: 'shared' }));
    for (let i = 0; i < 3; i++) await a.writer.create('acme', { ...draft, name: `Jam ${i}` });
    memory = RevisionCell.createMemory();
    const b = thread();
    await b.foods.catchUp();
    expect(b.foods.of('acme').own.size).toBe(3);
    expect(b.foods.of('anybody').shared.size).toBe(1);
  });

  test('more writes than one page are all read', async () => {
    const a = thread();
    const page = 1000;
    // In one transaction, which waits for the disk once.
    await db.transaction().execute(async (transaction) => {
      const inside = new SqlLiveFoodStore({
        db: transaction,
        locksRows: true,
        alone: (_table, write) => write(transaction),
      });
      for (let at = 0; at < page + 5; at++) await inside.put('acme', manualFood({ key: `k${at}` }));
    });
    await a.foods.catchUp();
    expect(a.foods.of('acme').own.size).toBe(page + 5);
  });

  test('what a failover lost is forgotten, and what is written in its place is known', async () => {
    const [a, b] = [thread(), thread()];
    const { food: kept } = await a.writer.create('acme', draft);
    const { food: lost } = await a.writer.create('acme', draft);
    await Promise.all([a.foods.catchUp(), b.foods.catchUp()]);
    await a.writer.create('acme', draft);
    await db.deleteFrom('live_foods').where('revision', '>', 1).execute();
    for (const { foods } of [a, b]) {
      await foods.catchUp();
      expect(foods.isCurrent).toBe(true);
      const { own } = foods.of('acme');
      expect([own.findById(kept.id), own.findById(lost.id)]).toEqual([kept, undefined]);
    }

    const { food } = await a.writer.create('acme', draft);
    for (const { foods } of [a, b]) {
      if (!foods.isCurrent) await foods.catchUp();
      expect(foods.of('acme').own.findById(food.id)).toEqual(food);
    }
  });

  test('two changes at once are both applied; with a stated revision the second is refused', async () => {
    const { writer } = thread();
    const { food, revision } = await writer.create('acme', draft);
    await Promise.all([
      writer.change('acme', food.id, { name: 'New name' }),
      writer.change('acme', food.id, { macros: { ...draft.macros, protein: 1 } }),
    ]);
    const now = await writer.get('acme', food.id);
    expect(now.food.name).toBe('New name');
    expect(now.food.per100.protein).toBe(5);
    await expect(writer.change('acme', food.id, { name: 'Late' }, revision)).rejects.toMatchObject({
      code: 'version_conflict',
    });
    await expect(writer.remove('acme', food.id, revision)).rejects.toMatchObject({
      code: 'version_conflict',
    });
    await expect(writer.change('other', food.id, { name: 'Theirs' })).rejects.toMatchObject({
      code: 'food_not_found',
    });
  });
});
