import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { customFood } from '../../../test/support/custom-food.ts';
import { type CustomFoodThreads, openCustomFoodThreads } from '../../../test/support/custom-food-threads.ts';
import { sql } from '../../db/sql.ts';
import { EVERY_TENANT } from './custom-food-store.ts';
import type { FoodDraft } from './food-draft.ts';

const draft: FoodDraft = {
  name: 'Plum jam',
  barcode: '4006381333931',
  servingSize: { value: 20, unit: 'g' },
  macros: { energy: 48, protein: 0.1, fat: 0, carbohydrates: 12 },
};

describe('custom foods in several threads', () => {
  let threads: CustomFoodThreads;
  let thread: CustomFoodThreads['thread'];
  beforeEach(async () => {
    threads = await openCustomFoodThreads();
    ({ thread } = threads);
  });
  afterEach(() => threads.close());

  test('a thread knows of another thread’s write at once, and has read it before it answers', async () => {
    const [a, b] = [thread(), thread()];
    await b.foods.whenReady({ tenant: 'acme' });
    expect(b.foods.of({ tenant: 'acme' }).isReady).toBe(true);
    const { food } = await a.writer.create({ tenant: 'acme' }, draft);
    expect(b.foods.of({ tenant: 'acme' }).isReady).toBe(false);
    await b.foods.whenReady({ tenant: 'acme' });
    expect(b.foods.of({ tenant: 'acme' }).isReady).toBe(true);
    const { ofTenant } = b.foods.of({ tenant: 'acme' });
    expect(ofTenant.findById(food.id)).toEqual(food);
    expect(ofTenant.findByGtin(food.gtin!)).toEqual(food);
    expect(ofTenant.search('plum', 5).map((hit) => hit.food)).toEqual([food]);
    expect(b.foods.of({ tenant: 'other' }).ofTenant.findById(food.id)).toBeUndefined();
  });

  test('changes and deletions are followed, including the barcode', async () => {
    const [a, b] = [thread(), thread()];
    const { food } = await a.writer.create({ tenant: 'acme' }, draft);
    await b.foods.whenReady({ tenant: 'acme' });
    await a.writer.change({ tenant: 'acme' }, food.id, { name: 'Quince jelly', barcode: null });
    await b.foods.whenReady({ tenant: 'acme' });
    const { ofTenant } = b.foods.of({ tenant: 'acme' });
    expect(ofTenant.findByGtin(food.gtin!)).toBeUndefined();
    expect(ofTenant.search('plum', 5)).toEqual([]);
    expect(ofTenant.search('quince', 5)).toHaveLength(1);
    await a.writer.remove({ tenant: 'acme' }, food.id);
    await b.foods.whenReady({ tenant: 'acme' });
    expect(ofTenant.findById(food.id)).toBeUndefined();
    expect(ofTenant.search('quince', 5)).toEqual([]);
    expect(b.foods.of({ tenant: 'acme' }).ofTenant).toBe(ofTenant);
  });

  test('a thread that starts later, or after a crash, has all foods', async () => {
    const a = thread();
    await a.writer.put(EVERY_TENANT, customFood({ key: 'shared' }));
    for (let i = 0; i < 3; i++) await a.writer.create({ tenant: 'acme' }, { ...draft, name: `Jam ${i}` });
    threads.restart();
    const b = thread();
    await b.foods.whenReady({ tenant: 'acme' });
    expect(b.foods.of({ tenant: 'acme' }).ofTenant.size).toBe(3);
    expect(b.foods.of({ tenant: 'anybody' }).external.size).toBe(1);
  });

  test('writes that exceed one page are all read', async () => {
    const a = thread();
    const many = 1005;
    await threads.putAll(Array.from({ length: many }, (_, at) => customFood({ key: `k${at}` })));
    await a.foods.whenReady({ tenant: 'acme' });
    expect(a.foods.of({ tenant: 'acme' }).ofTenant.size).toBe(many);
    await threads.putAll(Array.from({ length: many }, (_, at) => customFood({ key: `l${at}` })));
    await a.foods.follow();
    expect(a.foods.of({ tenant: 'acme' }).ofTenant.size).toBe(2 * many);
  });

  test('writes lost in a failover are forgotten, and those written instead are known', async () => {
    const [a, b] = [thread(), thread()];
    const { food: kept } = await a.writer.create({ tenant: 'acme' }, draft);
    const { food: lost } = await a.writer.create({ tenant: 'acme' }, draft);
    await Promise.all([a.foods.whenReady({ tenant: 'acme' }), b.foods.whenReady({ tenant: 'acme' })]);
    await a.writer.create({ tenant: 'acme' }, draft);
    await sql`delete from live_foods where revision > 1`.all(threads.db);
    await sql`delete from changes where seq > 1`.all(threads.db);
    await sql`update change_heads set seq = 1`.all(threads.db);
    for (const { foods } of [a, b]) {
      await foods.whenReady({ tenant: 'acme' });
      expect(foods.of({ tenant: 'acme' }).isReady).toBe(true);
      const { ofTenant } = foods.of({ tenant: 'acme' });
      expect([ofTenant.findById(kept.id), ofTenant.findById(lost.id)]).toEqual([kept, undefined]);
    }

    const { food } = await a.writer.create({ tenant: 'acme' }, draft);
    for (const { foods } of [a, b]) {
      if (!foods.of({ tenant: 'acme' }).isReady) await foods.whenReady({ tenant: 'acme' });
      expect(foods.of({ tenant: 'acme' }).ofTenant.findById(food.id)).toEqual(food);
    }
  });

  test('a thread so far behind that deletions may have been removed reads all foods again', async () => {
    const { foods, writer } = thread();
    const { food } = await writer.create({ tenant: 'acme' }, draft);
    const { food: kept } = await writer.create({ tenant: 'acme' }, draft);
    await foods.whenReady({ tenant: 'acme' });
    for (const table of [sql`live_foods`, sql`changes`])
      await sql`delete from ${table} where id = ${food.id}`.all(threads.db);
    await sql`update change_heads set seq = seq + 1, start = seq + 1`.all(threads.db);
    await foods.follow();
    await foods.whenReady({ tenant: 'acme' });
    const { ofTenant } = foods.of({ tenant: 'acme' });
    expect([ofTenant.findById(food.id), ofTenant.findById(kept.id)]).toEqual([undefined, kept]);
  });

  test('two concurrent changes are both applied; with a stated revision the second is rejected', async () => {
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
