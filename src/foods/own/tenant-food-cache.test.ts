import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTenantFoodThreads, type TenantFoodThreads } from '../../../test/support/live-food-threads.ts';
import { manualFood } from '../../../test/support/manual-food.ts';
import { sql } from '../../db/sql.ts';
import type { FoodDraft } from './food-draft.ts';
import { EVERY_TENANT, KEPT_DELETIONS } from './tenant-food-store.ts';

const draft: FoodDraft = {
  name: 'Plum jam',
  barcode: '4006381333931',
  servingSize: { value: 20, unit: 'g' },
  macros: { energy: 48, protein: 0.1, fat: 0, carbohydrates: 12 },
};

describe('own foods over several threads', () => {
  let threads: TenantFoodThreads;
  let thread: TenantFoodThreads['thread'];
  beforeEach(async () => {
    threads = await openTenantFoodThreads();
    ({ thread } = threads);
  });
  afterEach(() => threads.close());

  test('a thread knows at once that another wrote, and has read it before it answers', async () => {
    const [a, b] = [thread(), thread()];
    await b.foods.whenReady({ tenant: 'acme' });
    expect(b.foods.of({ tenant: 'acme' }).isReady).toBe(true);
    const { food } = await a.writer.create({ tenant: 'acme' }, draft);
    expect(b.foods.of({ tenant: 'acme' }).isReady).toBe(false);
    await b.foods.whenReady({ tenant: 'acme' });
    expect(b.foods.of({ tenant: 'acme' }).isReady).toBe(true);
    const { own } = b.foods.of({ tenant: 'acme' });
    expect(own.findById(food.id)).toEqual(food);
    expect(own.findByGtin(food.gtin!)).toEqual(food);
    expect(own.search('plum', 5).map((hit) => hit.food)).toEqual([food]);
    expect(b.foods.of({ tenant: 'other' }).own.findById(food.id)).toBeUndefined();
  });

  test('changes and deletions are followed, the barcode too', async () => {
    const [a, b] = [thread(), thread()];
    const { food } = await a.writer.create({ tenant: 'acme' }, draft);
    await b.foods.whenReady({ tenant: 'acme' });
    await a.writer.change({ tenant: 'acme' }, food.id, { name: 'Quince jelly', barcode: null });
    await b.foods.whenReady({ tenant: 'acme' });
    const { own } = b.foods.of({ tenant: 'acme' });
    expect(own.findByGtin(food.gtin!)).toBeUndefined();
    expect(own.search('plum', 5)).toEqual([]);
    expect(own.search('quince', 5)).toHaveLength(1);
    await a.writer.remove({ tenant: 'acme' }, food.id);
    await b.foods.whenReady({ tenant: 'acme' });
    expect(own.findById(food.id)).toBeUndefined();
    expect(own.search('quince', 5)).toEqual([]);
    expect(b.foods.of({ tenant: 'acme' }).own).toBe(own);
  });

  test('a thread that starts later, or after a crash, has everything', async () => {
    const a = thread();
    await a.writer.put(EVERY_TENANT, manualFood({ key: 'shared' }));
    for (let i = 0; i < 3; i++) await a.writer.create({ tenant: 'acme' }, { ...draft, name: `Jam ${i}` });
    threads.restart();
    const b = thread();
    await b.foods.whenReady({ tenant: 'acme' });
    expect(b.foods.of({ tenant: 'acme' }).own.size).toBe(3);
    expect(b.foods.of({ tenant: 'anybody' }).shared.size).toBe(1);
  });

  test('more writes than one page are all read', async () => {
    const a = thread();
    const many = 1005;
    await threads.putAll(Array.from({ length: many }, (_, at) => manualFood({ key: `k${at}` })));
    await a.foods.whenReady({ tenant: 'acme' });
    expect(a.foods.of({ tenant: 'acme' }).own.size).toBe(many);
    await threads.putAll(Array.from({ length: many }, (_, at) => manualFood({ key: `l${at}` })));
    await a.foods.follow();
    expect(a.foods.of({ tenant: 'acme' }).own.size).toBe(2 * many);
  });

  test('writes lost in a failover are forgotten, and those written instead are known', async () => {
    const [a, b] = [thread(), thread()];
    const { food: kept } = await a.writer.create({ tenant: 'acme' }, draft);
    const { food: lost } = await a.writer.create({ tenant: 'acme' }, draft);
    await Promise.all([a.foods.whenReady({ tenant: 'acme' }), b.foods.whenReady({ tenant: 'acme' })]);
    await a.writer.create({ tenant: 'acme' }, draft);
    await sql`delete from live_foods where revision > 1`.all(threads.db);
    for (const { foods } of [a, b]) {
      await foods.whenReady({ tenant: 'acme' });
      expect(foods.of({ tenant: 'acme' }).isReady).toBe(true);
      const { own } = foods.of({ tenant: 'acme' });
      expect([own.findById(kept.id), own.findById(lost.id)]).toEqual([kept, undefined]);
    }

    const { food } = await a.writer.create({ tenant: 'acme' }, draft);
    for (const { foods } of [a, b]) {
      if (!foods.of({ tenant: 'acme' }).isReady) await foods.whenReady({ tenant: 'acme' });
      expect(foods.of({ tenant: 'acme' }).own.findById(food.id)).toEqual(food);
    }
  });

  test('a thread so far behind that deletions may have been dropped reads all foods again', async () => {
    const { foods, writer } = thread();
    const { food } = await writer.create({ tenant: 'acme' }, draft);
    const { food: kept } = await writer.create({ tenant: 'acme' }, draft);
    await foods.whenReady({ tenant: 'acme' });
    await sql`delete from live_foods where id = ${food.id}`.all(threads.db);
    await sql`update live_foods set revision = ${2 + KEPT_DELETIONS + 1}`.all(threads.db);
    await foods.follow();
    await foods.whenReady({ tenant: 'acme' });
    const { own } = foods.of({ tenant: 'acme' });
    expect([own.findById(food.id), own.findById(kept.id)]).toEqual([undefined, kept]);
  });

  test('two changes at once are both applied; with a stated revision the second is refused', async () => {
    const { writer } = thread();
    const { food, revision } = await writer.create({ tenant: 'acme' }, draft);
    await Promise.all([
      writer.change({ tenant: 'acme' }, food.id, { name: 'New name' }),
      writer.change({ tenant: 'acme' }, food.id, { macros: { ...draft.macros, protein: 1 } }),
    ]);
    const now = await writer.get({ tenant: 'acme' }, food.id);
    expect(now.food.name).toBe('New name');
    expect(now.food.per100.protein).toBe(5);
    await expect(
      writer.change({ tenant: 'acme' }, food.id, { name: 'Late' }, revision),
    ).rejects.toMatchObject({
      code: 'version_conflict',
    });
    await expect(writer.remove({ tenant: 'acme' }, food.id, revision)).rejects.toMatchObject({
      code: 'version_conflict',
    });
    await expect(writer.change({ tenant: 'other' }, food.id, { name: 'Theirs' })).rejects.toMatchObject({
      code: 'food_not_found',
    });
  });
});
