import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manualFood } from '../../../test/support/manual-food.ts';
import { openLiveFoods } from '../../../test/support/open-live-foods.ts';
import { runs } from '../../../test/support/runs.ts';
import { type Database, openDatabase, toSql } from '../../adapters/embedded/database.ts';
import { SqlLiveFoodStore } from '../../adapters/sql/live-food-store.ts';
import { OutageError } from '../../errors.ts';
import type { Food } from '../food.ts';
import type { FoodDraft } from './food-draft.ts';
import { EVERY_TENANT } from './live-food.ts';
import { KEPT_DELETIONS } from './live-food-store.ts';
import { LiveFoodWriter } from './live-food-writer.ts';
import type { LiveFoodsPorts } from './live-foods.ts';
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
  function thread({ read = store, maxBytes }: { read?: LiveFoodsPorts['store']; maxBytes?: number } = {}) {
    const cell = new RevisionCell({ memory });
    let keys = 0;
    return {
      foods: openLiveFoods({ store: read, cell, ...(maxBytes !== undefined && { maxBytes }) }),
      writer: new LiveFoodWriter({
        store,
        cell,
        nowMs: () => 1_700_000_000_000,
        newKey: () => `key${keys++}`,
      }),
    };
  }

  /** In one transaction, which waits for the disk once. */
  function putAll(foods: readonly Food[]): Promise<void> {
    return db.transaction().execute(async (transaction) => {
      const inside = new SqlLiveFoodStore({
        db: transaction,
        alone: (_table, write) => write(transaction),
      });
      for (const food of foods) await inside.put('acme', food);
    });
  }

  test('a thread knows at once that another wrote, and has read it before it answers', async () => {
    const [a, b] = [thread(), thread()];
    await b.foods.whenReady('acme');
    expect(b.foods.isReady('acme')).toBe(true);
    const { food } = await a.writer.create('acme', draft);
    expect(b.foods.isReady('acme')).toBe(false);
    await b.foods.whenReady('acme');
    expect(b.foods.isReady('acme')).toBe(true);
    const { own } = b.foods.of('acme');
    expect(own.findById(food.id)).toEqual(food);
    expect(own.findByGtin(food.gtin!)).toEqual(food);
    expect(own.search('plum', 5).map((hit) => hit.food)).toEqual([food]);
    expect(b.foods.of('other').own.findById(food.id)).toBeUndefined();
  });

  test('changes and deletions are followed, the barcode too', async () => {
    const [a, b] = [thread(), thread()];
    const { food } = await a.writer.create('acme', draft);
    await b.foods.whenReady('acme');
    await a.writer.change('acme', food.id, { name: 'Quince jelly', barcode: null });
    await b.foods.whenReady('acme');
    const { own } = b.foods.of('acme');
    expect(own.findByGtin(food.gtin!)).toBeUndefined();
    expect(own.search('plum', 5)).toEqual([]);
    expect(own.search('quince', 5)).toHaveLength(1);
    await a.writer.remove('acme', food.id);
    await b.foods.whenReady('acme');
    expect(own.findById(food.id)).toBeUndefined();
    expect(own.search('quince', 5)).toEqual([]);
    expect(b.foods.of('acme').own).toBe(own);
  });

  test('a thread that starts later, or after a crash, has everything', async () => {
    const a = thread();
    await a.writer.put(EVERY_TENANT, manualFood({ key: 'shared' }));
    for (let i = 0; i < 3; i++) await a.writer.create('acme', { ...draft, name: `Jam ${i}` });
    memory = RevisionCell.createMemory();
    const b = thread();
    await b.foods.whenReady('acme');
    expect(b.foods.of('acme').own.size).toBe(3);
    expect(b.foods.of('anybody').shared.size).toBe(1);
  });

  test('more writes than one page are all read', async () => {
    const a = thread();
    const many = 1005;
    await putAll(Array.from({ length: many }, (_, at) => manualFood({ key: `k${at}` })));
    await a.foods.whenReady('acme');
    expect(a.foods.of('acme').own.size).toBe(many);
    await putAll(Array.from({ length: many }, (_, at) => manualFood({ key: `l${at}` })));
    await a.foods.follow();
    expect(a.foods.of('acme').own.size).toBe(2 * many);
  });

  test('what a failover lost is forgotten, and what is written in its place is known', async () => {
    const [a, b] = [thread(), thread()];
    const { food: kept } = await a.writer.create('acme', draft);
    const { food: lost } = await a.writer.create('acme', draft);
    await Promise.all([a.foods.whenReady('acme'), b.foods.whenReady('acme')]);
    await a.writer.create('acme', draft);
    await db.deleteFrom('live_foods').where('revision', '>', 1).execute();
    for (const { foods } of [a, b]) {
      await foods.whenReady('acme');
      expect(foods.isReady('acme')).toBe(true);
      const { own } = foods.of('acme');
      expect([own.findById(kept.id), own.findById(lost.id)]).toEqual([kept, undefined]);
    }

    const { food } = await a.writer.create('acme', draft);
    for (const { foods } of [a, b]) {
      if (!foods.isReady('acme')) await foods.whenReady('acme');
      expect(foods.of('acme').own.findById(food.id)).toEqual(food);
    }
  });

  test('foods that are written while others are read count in their latest state', async () => {
    const keys = Array.from({ length: 230 }, (_, at) => `k${String(at).padStart(3, '0')}`);
    const write = fc.record({
      page: fc.nat({ max: 3 }),
      key: fc.constantFrom(...keys, 'k0005', 'new'),
      isDeleted: fc.boolean(),
      isFollowed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 12 }), fc.boolean(), async (writes, isAfter) => {
        await db.deleteFrom('live_foods').execute();
        memory = RevisionCell.createMemory();
        await putAll(keys.map((key) => manualFood({ key })));
        const { writer } = thread();
        let page = 0;
        const during = async () => {
          const now = page++;
          for (const { key, isDeleted, isFollowed } of writes.filter((each) => each.page === now)) {
            const food = manualFood({ key, name: `Written ${now}`, barcode: '4006381333931' });
            if (isDeleted) await writer.remove('acme', food.id).catch(() => {});
            else await writer.put('acme', food);
            if (isFollowed) await reader.foods.follow();
          }
        };
        const read: LiveFoodsPorts['store'] = {
          changesAfter: (...words) => store.changesAfter(...words),
          latestRevision: () => store.latestRevision(),
          async list(tenant, ...words) {
            if (tenant === EVERY_TENANT) return [];
            if (!isAfter) await during();
            const foods = await store.list(tenant, ...words);
            if (isAfter) await during();
            return foods;
          },
        };
        const reader = thread({ read });
        await reader.foods.whenReady('acme');
        await reader.foods.whenReady('acme');
        const kept = await store.list('acme', '', 1_000);
        const { own } = reader.foods.of('acme');
        expect(own.size).toBe(kept.length);
        for (const { food } of kept) expect(own.findById(food.id)).toEqual(food);
        const found = own.search('written', 200).map(({ food }) => food.id);
        const written = kept.filter(({ food }) => food.name.startsWith('Written'));
        expect(found.toSorted()).toEqual(written.map(({ food }) => food.id));
        const latest = written.toSorted((a, b) => b.revision - a.revision)[0];
        expect(own.findByGtin('04006381333931' as never)).toEqual(latest?.food);
      }),
      { numRuns: runs(30) },
    );
  });

  test('tenants that asked longest ago are forgotten where memory is short, and read again', async () => {
    const tenants = ['a', 'b', 'c', 'd'];
    for (const tenant of tenants) await thread().writer.put(tenant, manualFood({ key: tenant }));
    const { foods } = thread({ maxBytes: 80_000 });
    const inMemory = () => tenants.filter((tenant) => foods.isReady(tenant)).join('');
    for (const tenant of tenants) {
      await foods.whenReady(tenant);
      expect(foods.of(tenant).own.search('jam', 5)).toHaveLength(1);
    }
    expect(inMemory()).toBe('cd');
    await foods.whenReady('a');
    expect(inMemory()).toBe('ad');
  });

  test('a tenant with few foods does not wait for one with many, and one query is under way at a time', async () => {
    await putAll(Array.from({ length: 1_200 }, (_, at) => manualFood({ key: `k${at}` })));
    await thread().writer.put('small', manualFood());
    let [underWay, most, pages] = [0, 0, 0];
    const read: LiveFoodsPorts['store'] = {
      changesAfter: (...words) => store.changesAfter(...words),
      latestRevision: () => store.latestRevision(),
      async list(...words) {
        most = Math.max(most, ++underWay);
        pages++;
        const foods = await store.list(...words);
        await new Promise(setImmediate);
        underWay--;
        return foods;
      },
    };
    const { foods } = thread({ read });
    const large = foods.whenReady('acme');
    await foods.whenReady('small');
    expect(foods.of('small').own.size).toBe(1);
    expect(pages).toBeLessThan(9);
    await large;
    expect(foods.of('acme').own.size).toBe(1_200);
    expect(most).toBe(1);
  });

  test('however many ask while the store is silent, it is asked once', async () => {
    await thread().writer.put('acme', manualFood());
    const silent = Promise.withResolvers<void>();
    const asked: string[] = [];
    const answers = async <T>(name: string, read: () => Promise<T>): Promise<T> => {
      asked.push(name);
      await silent.promise;
      return read();
    };
    const { foods } = thread({
      read: {
        changesAfter: (...words) => answers('changes', () => store.changesAfter(...words)),
        latestRevision: () => answers('latest', () => store.latestRevision()),
        list: (...words) => answers('list', () => store.list(...words)),
      },
    });
    const waiting = Array.from({ length: 500 }, () => foods.whenReady('acme'));
    await new Promise(setImmediate);
    expect(asked).toEqual(['latest']);
    silent.resolve();
    await Promise.all(waiting);
    expect(asked.filter((name) => name === 'list')).toHaveLength(2);
    expect(foods.of('acme').own.size).toBe(1);
  });

  test('a read that failed goes on where it stopped when somebody asks again', async () => {
    await putAll(Array.from({ length: 250 }, (_, at) => manualFood({ key: `k${at}` })));
    let fails = 2;
    const { foods } = thread({
      read: {
        changesAfter: (...words) => store.changesAfter(...words),
        latestRevision: () => store.latestRevision(),
        async list(tenant, after, limit) {
          if (after !== '' && fails-- > 0) throw new OutageError('away');
          return store.list(tenant, after, limit);
        },
      },
    });
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(foods.whenReady('acme')).rejects.toThrow(OutageError);
    await foods.whenReady('acme');
    expect(foods.of('acme').own.size).toBe(250);
  });

  test('who is so far behind that deletions may have been dropped reads all anew', async () => {
    const { foods, writer } = thread();
    const { food } = await writer.create('acme', draft);
    const { food: kept } = await writer.create('acme', draft);
    await foods.whenReady('acme');
    await db.deleteFrom('live_foods').where('id', '=', food.id).execute();
    await db
      .updateTable('live_foods')
      .set({ revision: 2 + KEPT_DELETIONS + 1 })
      .execute();
    await foods.follow();
    await foods.whenReady('acme');
    const { own } = foods.of('acme');
    expect([own.findById(food.id), own.findById(kept.id)]).toEqual([undefined, kept]);
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
