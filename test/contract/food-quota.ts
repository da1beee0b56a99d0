import type { FoodId } from '@larder/core/food.ts';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { CustomFood, CustomFoodStore } from '../../src/foods/custom/custom-food-store.ts';
import { wordsOf } from '../../src/foods/custom/food-quota.ts';
import { customFood } from '../support/custom-food.ts';

const MANY = 1000;

interface Stores {
  readonly store: CustomFoodStore;
  /** Another connection to the same foods. */
  readonly other: CustomFoodStore;
}

/** Contract of the quota in a store of custom foods. */
export function foodQuotaContract(current: () => Stores): void {
  let opened: Stores;
  let store: CustomFoodStore;
  beforeEach(() => {
    opened = current();
    store = opened.store;
  });

  const QUOTA = { foods: 5, words: 20 };
  const isFull = (quota: string, limit: number, used: number) =>
    expect.objectContaining({ code: 'quota_exceeded', details: { quota, limit, used } });
  /** Name and brand have one word each. */
  const short = (at: number) => customFood({ key: `k${at}`, name: 'Jam', brand: 'Acme' });
  const long = (at: number, words: number) =>
    customFood({
      key: `k${at}`,
      name: 'Jam',
      brand: 'Acme',
      aliases: [
        Array(words - 2)
          .fill('x')
          .join(' '),
      ],
    });

  test("concurrent writes cannot exceed the tenant's quota of foods", async () => {
    const puts = await Promise.allSettled(
      Array.from({ length: 30 }, (_, at) =>
        (at % 2 === 0 ? store : opened.other).put('acme', short(at), QUOTA),
      ),
    );
    const refused = puts.filter((put) => put.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toEqual(Array(25).fill(isFull('custom_foods', 5, 5)));
    await store.put('other', short(0), QUOTA);

    const [{ food }] = (await store.list('acme', '', MANY)) as [CustomFood];
    await store.remove('acme', food.id);
    await store.put('acme', short(99), QUOTA);
    await expect(store.put('acme', short(100), QUOTA)).rejects.toEqual(isFull('custom_foods', 5, 5));
    expect(await store.list('acme', '', MANY)).toHaveLength(5);
  });

  test("concurrent changes cannot exceed the tenant's quota of words", async () => {
    const versions: number[] = [];
    for (let at = 0; at < 5; at++) versions.push((await store.put('acme', short(at), QUOTA)).version);
    const changes = await Promise.allSettled(
      versions.map((version, at) =>
        (at % 2 === 0 ? store : opened.other).replace('acme', long(at, 5), version, QUOTA),
      ),
    );
    const refused = changes.filter((change) => change.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toEqual(Array(2).fill(isFull('custom_food_words', 20, 19)));
    const kept = await store.list('acme', '', MANY);
    const longOnes = kept.filter(({ food }) => food.aliases.length > 0);
    expect(longOnes).toHaveLength(3);

    // A food that does not become longer may be changed even above the quota.
    const less = { foods: 1, words: 1 };
    const [{ food, version }] = longOnes as [CustomFood];
    const same = await store.replace('acme', { ...food, name: 'Gel' }, version, less);
    expect(same.outcome).toBe('replaced');
    expect(await store.replace('acme', { ...food, name: 'Late' }, version, less)).toEqual({
      outcome: 'conflict',
    });
    await store.remove('acme', longOnes[1]!.food.id);
    await expect(store.put('acme', long(77, 7), QUOTA)).rejects.toEqual(isFull('custom_food_words', 20, 14));
    await store.put('acme', long(77, 6), QUOTA);
  });

  test("concurrent writes cannot exceed a user's tenth of the tenant's quota", async () => {
    const quota = { foods: 50, words: 200 };
    const ofAnn = (at: number, words = 2) => ({ ...long(at, words), userId: 'ann' });
    const puts = await Promise.allSettled(
      Array.from({ length: 9 }, (_, at) =>
        (at % 2 === 0 ? store : opened.other).put('acme', ofAnn(at), quota),
      ),
    );
    const refused = puts.filter((put) => put.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toEqual(Array(4).fill(isFull('custom_foods_of_user', 5, 5)));
    for (const userId of ['bob', undefined]) {
      await store.put('acme', { ...short(50), ...(userId && { userId }) }, quota);
    }
    const [{ food, version }] = (await store.list('acme', '', MANY)) as [CustomFood];
    await expect(store.replace('acme', { ...ofAnn(0, 13), id: food.id }, version, quota)).rejects.toEqual(
      isFull('custom_food_words_of_user', 20, 8),
    );
    // A food also cannot be moved to a user without room; a food that does not become longer may be changed.
    const shared = (await store.find('acme', short(50).id))!;
    await expect(
      store.replace('acme', { ...shared.food, userId: 'ann' }, shared.version, quota),
    ).rejects.toEqual(isFull('custom_foods_of_user', 5, 5));
    const same = await store.replace('acme', { ...food, name: 'Gel' }, version, { foods: 1, words: 1 });
    expect(same.outcome).toBe('replaced');
    await store.remove('acme', food.id);
    await store.put('acme', { ...ofAnn(0, 12), id: food.id }, quota);
    await expect(store.put('acme', ofAnn(20), quota)).rejects.toMatchObject({ code: 'quota_exceeded' });
  });

  test('the usage of a tenant is correct after random writes', async () => {
    const write = fc.record({
      key: fc.nat({ max: 3 }),
      words: fc.integer({ min: 2, max: 9 }),
      how: fc.nat({ max: 2 }),
      userId: fc.constantFrom('ann', 'bob', undefined),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 15 }), async (writes) => {
        const tenant = `tenant-${runs++}`;
        const kept = new Map<FoodId, number>();
        for (const { key, words, how, userId } of writes) {
          const food = { ...long(key, words), ...(userId !== undefined && { userId }) };
          const found = await store.find(tenant, food.id);
          if (how === 0) {
            await store.remove(tenant, food.id);
            kept.delete(food.id);
            continue;
          }
          if (found === undefined || how === 1) await store.put(tenant, food);
          else await store.replace(tenant, food, found.version);
          kept.set(food.id, wordsOf(food));
        }
        const foods = kept.size;
        const words = [...kept.values()].reduce((sum, each) => sum + each, 0);
        const next = short(50);
        await expect(store.put(tenant, next, { foods, words: MANY })).rejects.toEqual(
          isFull('custom_foods', foods, foods),
        );
        await expect(store.put(tenant, next, { foods: MANY, words: words + 1 })).rejects.toEqual(
          isFull('custom_food_words', words + 1, words),
        );
        await store.put(tenant, next, { foods: foods + 1, words: words + 2 });
      }),
      { numRuns: 10 },
    );
  });
}
