import type { Food } from '@larder/core/food.ts';
import { toGtin } from '@larder/core/gtin.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { customFood } from '../../../test/support/custom-food.ts';
import { openCustomFoods } from '../../../test/support/open-custom-foods.ts';
import { runs } from '../../../test/support/runs.ts';
import { BackgroundWork } from '../../base/background-work.ts';
import { ChangeHints } from '../../db/change-hints.ts';
import type { CustomFoodCache } from './custom-food-cache.ts';
import type { CustomFoodChange } from './custom-food-store.ts';
import { type FoodViewer, isSeen } from './food-owner.ts';
import { LoadedTenant, MAX_INDEXED_USERS } from './loaded-tenant.ts';

const TENANTS = ['acme', 'other'];
const USERS = ['ann', 'bob', undefined];
const CODES = ['4006381333931', '96385074'];

/** A food of a user or of all, or the deletion of one. */
const arbitraryWrite = fc.record({
  tenant: fc.constantFrom(...TENANTS),
  key: fc.nat({ max: 6 }),
  userId: fc.constantFrom(...USERS),
  code: fc.constantFrom(...CODES, undefined),
  deleted: fc.boolean(),
});

/** A row of the log, with its food. */
interface Row extends CustomFoodChange {
  readonly tenant: string;
}

/** Custom foods over rows that tests change. */
function followed(rows: readonly Row[]) {
  return openCustomFoods({
    store: {
      changesAfter: async (tenant, revision, limit) =>
        rows.filter((row) => row.tenant === tenant && row.revision > revision).slice(0, limit),
      latestRevisions: async () => new Map(rows.map((row) => [row.tenant, row.revision])),
      list: async (tenant, after, limit) =>
        rows
          .flatMap((row) => (row.food === undefined ? [] : [{ ...row, food: row.food, version: 1 }]))
          .filter((row) => row.tenant === tenant && row.id > after)
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, limit),
    },
  });
}

type Write = typeof arbitraryWrite extends fc.Arbitrary<infer W> ? W : never;

/** The table as the cache reads it: one row for each food, with its latest revision. */
class Table {
  readonly changes: Row[] = [];
  #revision = 0;

  write({ tenant, key, userId, code, deleted }: Write): void {
    const food: Food = {
      ...customFood({ key: `${key}`, name: `Plum jam ${'abcdefg'[key]}` }),
      ...(code !== undefined && { barcode: code, gtin: toGtin(code) }),
      ...(userId !== undefined && { userId }),
    };
    const before = this.changes.findIndex((row) => row.tenant === tenant && row.id === food.id);
    if (before !== -1) this.changes.splice(before, 1);
    this.changes.push({ tenant, id: food.id, revision: ++this.#revision, ...(!deleted && { food }) });
  }

  /** Reads all rows for the foods that a viewer may see. */
  seenBy(viewer: FoodViewer): Food[] {
    const foods = this.changes.flatMap(({ tenant, food }) =>
      tenant === viewer.tenant && food !== undefined ? [food] : [],
    );
    // A key sees the foods of users only by id.
    return foods.filter((food) => isSeen(food, { ...viewer, userId: viewer.userId ?? '' }));
  }
}

function expectSame(customFoods: CustomFoodCache, table: Table, viewer: FoodViewer): void {
  const { ofUser, ofTenant } = customFoods.of(viewer);
  const seen = table.seenBy(viewer);
  const found = [ofUser, ofTenant].flatMap((foods) => foods.search('plum jam', 100).map(({ food }) => food));
  expect(found.map(({ id }) => id).toSorted()).toEqual(seen.map(({ id }) => id).toSorted());
  for (const { tenant, id } of table.changes) {
    const expected = tenant === viewer.tenant ? seen.find((food) => food.id === id) : undefined;
    if (tenant === viewer.tenant) expect(ofUser.findById(id) ?? ofTenant.findById(id)).toEqual(expected);
  }
  for (const code of CODES) {
    const isKnown = [ofUser, ofTenant].some((foods) => foods.findByGtin(toGtin(code)) !== undefined);
    expect(isKnown).toBe(seen.some(({ barcode }) => barcode === code));
  }
}

describe('foods of users', () => {
  test('every viewer finds exactly the foods that it may see, whoever wrote, moved and deleted them', async () => {
    const batches = fc.array(fc.array(arbitraryWrite, { maxLength: 8 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(batches, async (written) => {
        const table = new Table();
        const customFoods = followed(table.changes);
        for (const batch of written) {
          for (const write of batch) table.write(write);
          await customFoods.follow();
          for (const tenant of TENANTS) {
            for (const userId of USERS) {
              await customFoods.whenReady({ tenant, userId });
              expect(customFoods.of({ tenant, userId }).isReady).toBe(true);
              expectSame(customFoods, table, { tenant, userId });
            }
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });

  test('a word that only another user entered does not affect text reading', async () => {
    const jam: Food = { ...customFood({ key: 'a', name: 'Chocolate spread' }), userId: 'ann' };
    const secret: Food = { ...customFood({ key: 'b', name: 'Choclate' }), userId: 'bob' };
    const change = (food: Food, revision: number) => ({ tenant: 'acme', id: food.id, revision, food });
    const ann = { tenant: 'acme', userId: 'ann' };
    const both = [followed([change(jam, 1)]), followed([change(jam, 1), change(secret, 2)])];
    for (const customFoods of both) await customFoods.whenReady(ann);
    for (const text of ['choclate', 'choclat', 'chocolate']) {
      const [alone, beside] = both.map((customFoods) => customFoods.of(ann).ofUser.search(text, 5));
      expect(beside).toEqual(alone);
    }
  });

  test('the foods of a user are indexed at that user’s request, and those of the latest users remain indexed', async () => {
    const count = MAX_INDEXED_USERS + 5;
    const rows = Array.from({ length: count }, (_, at): Row => {
      const food: Food = { ...customFood({ key: `${at}`.padStart(4, '0') }), userId: `u${at}` };
      return { tenant: 'acme', id: food.id, revision: at + 1, food };
    });
    const customFoods = followed(rows);
    const user = (at: number) => ({ tenant: 'acme', userId: `u${at}` });
    await customFoods.whenReady({ tenant: 'acme' });
    expect([
      customFoods.of(user(0)).isReady,
      customFoods.of({ tenant: 'acme', userId: 'nobody' }).isReady,
    ]).toEqual([false, true]);
    for (let at = 0; at < count; at++) {
      await customFoods.whenReady(user(at));
      expect(customFoods.of(user(at)).ofUser.search('plum', 5)).toHaveLength(1);
    }
    expect([customFoods.of(user(0)).isReady, customFoods.of(user(count - 1)).isReady]).toEqual([false, true]);
    await customFoods.whenReady(user(0));
    expect(customFoods.of(user(0)).ofUser.search('plum', 5)).toHaveLength(1);
  });

  test('a change that was read before the foods of its tenant is not undone by them', async () => {
    const food: Food = { ...customFood(), userId: 'ann' };
    const tenant = new LoadedTenant({
      tenant: 'acme',
      store: {
        list: async () => [{ tenant: 'acme', food, revision: 1, version: 1 }],
        changesAfter: async () => [],
        latestRevisions: async () => new Map(),
      },
      hints: new ChangeHints({ memory: ChangeHints.createMemory() }),
      work: new BackgroundWork({ nowMs: () => performance.now() }),
      onError: (cause) => expect.unreachable(String(cause)),
    });
    tenant.apply([{ id: food.id, revision: 2, food: { ...food, userId: 'bob' } }]);
    await tenant.readPage();
    for (const userId of ['ann', 'bob']) await tenant.whenIndexed(userId);
    expect(tenant.ofUser('ann').size).toBe(0);
    expect(tenant.ofUser('bob').size).toBe(1);
    tenant.apply([{ id: food.id, revision: 3 }]);
    expect(tenant.ofUser('bob')).toMatchObject({ size: 0, isIndexed: true });
  });
});
