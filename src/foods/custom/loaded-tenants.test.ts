import { OutageError } from '@larder/core/errors.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { customFood } from '../../../test/support/custom-food.ts';
import { type CustomFoodThreads, openCustomFoodThreads } from '../../../test/support/custom-food-threads.ts';
import { runs } from '../../../test/support/runs.ts';
import { sql } from '../../db/sql.ts';
import type { CustomFoodCacheOptions } from './custom-food-cache.ts';
import { EVERY_TENANT } from './custom-food-store.ts';

describe('custom foods that are read at their tenant’s first request', () => {
  let threads: CustomFoodThreads;
  let thread: CustomFoodThreads['thread'];
  beforeEach(async () => {
    threads = await openCustomFoodThreads();
    ({ thread } = threads);
  });
  afterEach(() => threads.close());

  test('foods that are written while others are read have their latest state', async () => {
    const keys = Array.from({ length: 230 }, (_, at) => `k${String(at).padStart(3, '0')}`);
    const write = fc.record({
      page: fc.nat({ max: 3 }),
      key: fc.constantFrom(...keys, 'k0005', 'new'),
      isDeleted: fc.boolean(),
      isFollowed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 12 }), fc.boolean(), async (writes, isAfter) => {
        for (const table of [sql`live_foods`, sql`changes`, sql`change_heads`])
          await sql`delete from ${table}`.all(threads.db);
        threads.restart();
        await threads.putAll(keys.map((key) => customFood({ key })));
        const { writer } = thread();
        let page = 0;
        const during = async () => {
          const now = page++;
          for (const { key, isDeleted, isFollowed } of writes.filter((each) => each.page === now)) {
            const food = customFood({ key, name: `Written ${now}`, barcode: '4006381333931' });
            if (isDeleted) await writer.remove({ tenant: 'acme' }, food.id).catch(() => {});
            else await writer.put('acme', food);
            if (isFollowed) await reader.foods.follow();
          }
        };
        const read: CustomFoodCacheOptions['store'] = {
          changesAfter: (...words) => threads.store.changesAfter(...words),
          latestRevisions: (tenants) => threads.store.latestRevisions(tenants),
          async list(tenant, ...words) {
            if (tenant === EVERY_TENANT) return [];
            if (!isAfter) await during();
            const foods = await threads.store.list(tenant, ...words);
            if (isAfter) await during();
            return foods;
          },
        };
        const reader = thread({ read });
        await reader.foods.whenReady({ tenant: 'acme' });
        await reader.foods.whenReady({ tenant: 'acme' });
        const kept = await threads.store.list('acme', '', 1_000);
        const { ofTenant } = reader.foods.of({ tenant: 'acme' });
        expect(ofTenant.size).toBe(kept.length);
        for (const { food } of kept) expect(ofTenant.findById(food.id)).toEqual(food);
        const found = ofTenant.search('written', 200).map(({ food }) => food.id);
        const written = kept.filter(({ food }) => food.name.startsWith('Written'));
        expect(found.toSorted()).toEqual(written.map(({ food }) => food.id));
        const latest = written.toSorted((a, b) => b.revision - a.revision)[0];
        expect(ofTenant.findByGtin('04006381333931' as never)).toEqual(latest?.food);
      }),
      { numRuns: runs(30) },
    );
  });

  test('tenants with the oldest requests are evicted if memory is short, and read again', async () => {
    const tenants = ['a', 'b', 'c', 'd'];
    for (const tenant of tenants) await thread().writer.put(tenant, customFood({ key: tenant }));
    const { foods } = thread({ maxBytes: 80_000 });
    const inMemory = () => tenants.filter((tenant) => foods.of({ tenant }).isReady).join('');
    for (const tenant of tenants) {
      await foods.whenReady({ tenant });
      expect(foods.of({ tenant }).ofTenant.search('jam', 5)).toHaveLength(1);
    }
    expect(inMemory()).toBe('cd');
    await foods.whenReady({ tenant: 'a' });
    expect(inMemory()).toBe('ad');
  });

  test('a tenant with few foods does not wait for one with many, and only one query runs at a time', async () => {
    await threads.putAll(Array.from({ length: 1_200 }, (_, at) => customFood({ key: `k${at}` })));
    await thread().writer.put('small', customFood());
    let [underWay, most, pages] = [0, 0, 0];
    const read: CustomFoodCacheOptions['store'] = {
      changesAfter: (...words) => threads.store.changesAfter(...words),
      latestRevisions: (tenants) => threads.store.latestRevisions(tenants),
      async list(...words) {
        most = Math.max(most, ++underWay);
        pages++;
        const foods = await threads.store.list(...words);
        await new Promise(setImmediate);
        underWay--;
        return foods;
      },
    };
    const { foods } = thread({ read });
    const large = foods.whenReady({ tenant: 'acme' });
    await foods.whenReady({ tenant: 'small' });
    expect(foods.of({ tenant: 'small' }).ofTenant.size).toBe(1);
    expect(pages).toBeLessThan(9);
    await large;
    expect(foods.of({ tenant: 'acme' }).ofTenant.size).toBe(1_200);
    expect(most).toBe(1);
  });

  test('one query is sent however many requests wait for an unresponsive store', async () => {
    await thread().writer.put('acme', customFood());
    const silent = Promise.withResolvers<void>();
    const asked: string[] = [];
    const answers = async <T>(name: string, read: () => Promise<T>): Promise<T> => {
      asked.push(name);
      await silent.promise;
      return read();
    };
    const { foods } = thread({
      read: {
        changesAfter: (...words) => answers('changes', () => threads.store.changesAfter(...words)),
        latestRevisions: (tenants) => answers('latest', () => threads.store.latestRevisions(tenants)),
        list: (...words) => answers('list', () => threads.store.list(...words)),
      },
    });
    const waiting = Array.from({ length: 500 }, () => foods.whenReady({ tenant: 'acme' }));
    await new Promise(setImmediate);
    expect(asked).toEqual(['latest', 'latest']);
    silent.resolve();
    await Promise.all(waiting);
    expect(asked.filter((name) => name === 'list')).toHaveLength(2);
    expect(foods.of({ tenant: 'acme' }).ofTenant.size).toBe(1);
  });

  test('a failed read continues at its position with the next request', async () => {
    await threads.putAll(Array.from({ length: 250 }, (_, at) => customFood({ key: `k${at}` })));
    let fails = 2;
    const { foods } = thread({
      read: {
        changesAfter: (...words) => threads.store.changesAfter(...words),
        latestRevisions: (tenants) => threads.store.latestRevisions(tenants),
        async list(tenant, after, limit) {
          if (after !== '' && fails-- > 0) throw new OutageError('away');
          return threads.store.list(tenant, after, limit);
        },
      },
    });
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(foods.whenReady({ tenant: 'acme' })).rejects.toThrow(OutageError);
    await foods.whenReady({ tenant: 'acme' });
    expect(foods.of({ tenant: 'acme' }).ofTenant.size).toBe(250);
  });
});
