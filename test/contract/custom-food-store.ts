import type { FoodId } from '@larder/core/food.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CustomFoodStore, EVERY_TENANT } from '../../src/foods/custom/custom-food-store.ts';
import { customFood } from '../support/custom-food.ts';
import { foodQuotaContract } from './food-quota.ts';

export interface OpenCustomFoodStore {
  readonly store: CustomFoodStore;
  /** Another connection to the same foods, as another process has it. */
  readonly other: CustomFoodStore;
  close(): Promise<void>;
}

const MANY = 1000;

/** Contract of `CustomFoodStore`, run over each adapter. `open` returns a store without foods. */
export function customFoodStoreContract(adapter: string, open: () => Promise<OpenCustomFoodStore>): void {
  describe(`CustomFoodStore over ${adapter}`, () => {
    let opened: OpenCustomFoodStore;
    let store: CustomFoodStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    test('a food is found unchanged, by its own tenant only', async () => {
      const food = customFood({ brand: 'Ünï', aliases: ['a "b"'], barcode: '012345678905' });
      const numbers = await store.put('acme', food);
      expect(await opened.other.find('acme', food.id)).toEqual({ tenant: 'acme', food, ...numbers });
      expect(await store.find('other', food.id)).toBeUndefined();
      expect(await store.find('acme', 'manual:none')).toBeUndefined();
    });

    test('any text is stored, and any id can be requested', async () => {
      const food = customFood({ name: 'Nul \0, emoji 🥧, half of one \ud83e, quote \' " \\' });
      await store.put('acme', food);
      expect((await store.find('acme', food.id))?.food).toEqual(food);
      for (const id of ['', '\0', 'manual:\0', '\ud83e']) {
        expect(await store.find('acme', id)).toBeUndefined();
        expect(await store.remove('acme', id as FoodId)).toEqual({ outcome: 'missing' });
      }
    });

    test('putting an id again overwrites the food, and other tenants can use the same id', async () => {
      await store.put('acme', customFood({ name: 'Old' }));
      await store.put('other', customFood({ name: 'Other' }));
      await store.put('acme', customFood({ name: 'New' }));
      expect((await store.find('acme', 'manual:sample'))?.food.name).toBe('New');
      expect((await store.find('other', 'manual:sample'))?.food.name).toBe('Other');
    });

    test('a food is replaced and removed only at the expected version, which begins at 1', async () => {
      const { version: first } = await store.put('acme', customFood());
      expect(first).toBe(1);
      const replaced = await store.replace('acme', customFood({ name: 'New' }), first);
      expect(replaced).toMatchObject({ outcome: 'replaced', version: 2 });
      expect((await store.find('acme', 'manual:sample'))?.version).toBe(2);
      expect(await store.replace('acme', customFood({ name: 'Late' }), first)).toEqual({
        outcome: 'conflict',
      });
      expect(await store.remove('acme', customFood().id, first)).toEqual({ outcome: 'conflict' });
      expect((await store.find('acme', 'manual:sample'))?.food.name).toBe('New');
    });

    test('a removed food cannot be found or replaced, but put again', async () => {
      const { version } = await store.put('acme', customFood());
      expect((await store.remove('acme', customFood().id)).outcome).toBe('replaced');
      expect(await store.find('acme', 'manual:sample')).toBeUndefined();
      expect(await store.replace('acme', customFood(), version)).toEqual({ outcome: 'missing' });
      expect(await store.remove('acme', customFood().id)).toEqual({ outcome: 'missing' });
      await store.put('acme', customFood({ name: 'Again' }));
      expect((await store.find('acme', 'manual:sample'))?.food.name).toBe('Again');
    });

    test('changes include deletions, once per food, oldest first, page by page', async () => {
      await store.put('acme', customFood({ key: 'a' }));
      const { revision: b } = await store.put('acme', customFood({ key: 'b' }));
      const { revision: c } = await store.put('other', customFood({ key: 'c' }));
      await store.put('acme', customFood({ key: 'a', name: 'A again' }));
      await store.remove('acme', customFood({ key: 'b' }).id);

      const all = (await opened.other.changesAfter('acme', 0, MANY))!;
      expect(all.map(({ id, food }) => [id, food?.name])).toEqual([
        ['manual:a', 'A again'],
        ['manual:b', undefined],
      ]);
      expect(await opened.other.changesAfter('other', 0, MANY)).toMatchObject([
        { id: 'manual:c', revision: c },
      ]);
      expect(await store.changesAfter('acme', b, 1)).toEqual([all[0]]);
      const { revision } = all.at(-1)!;
      expect(await store.changesAfter('acme', revision, MANY)).toEqual([]);
      expect(await store.latestRevisions(['acme', 'other', 'nobody'])).toEqual(
        new Map([
          ['acme', revision],
          ['other', c],
        ]),
      );
      expect(await store.changesAfter('acme', revision + 1, MANY)).toBeUndefined();
    });

    test('foods of a tenant are listed by id, page by page, without deleted ones', async () => {
      for (const key of ['b', 'B', 'c', 'a', 'd']) await store.put('acme', customFood({ key }));
      await store.put('other', customFood({ key: 'theirs' }));
      await store.remove('acme', customFood({ key: 'c' }).id);
      const listed = async (after: string, limit: number) =>
        (await opened.other.list('acme', after, limit)).map(({ food }) => food.id);
      expect(await listed('', MANY)).toEqual(['manual:B', 'manual:a', 'manual:b', 'manual:d']);
      expect(await listed('manual:a', 1)).toEqual(['manual:b']);
      expect(await listed('manual:d', 1)).toEqual([]);
    });

    test('a user lists only shared foods and the user’s own', async () => {
      const owners = { a: undefined, b: 'ann', c: 'bob', d: 'ann', e: undefined };
      for (const [key, userId] of Object.entries(owners)) {
        await store.put('acme', customFood({ key, ...(userId !== undefined && { userId }) }));
      }
      await store.remove('acme', customFood({ key: 'd' }).id);
      const listed = async (after: string, limit: number, userId?: string) =>
        (await opened.other.list('acme', after, limit, { userId }))
          .map(({ food }) => food.id.slice(-1))
          .join('');
      expect(await listed('', MANY)).toBe('abce');
      expect(await listed('', MANY, 'ann')).toBe('abe');
      expect(await listed('', 2, 'bob')).toBe('ac');
      expect(await listed('manual:b', MANY, 'bob')).toBe('ce');
      expect(await listed('', MANY, 'nobody')).toBe('ae');
    });

    test('foods are found by many ids, without deleted ones and those of other tenants', async () => {
      for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await store.put('acme', customFood({ key }));
      await store.put('other', customFood({ key: 'theirs' }));
      await store.remove('acme', customFood({ key: 'c' }).id);
      const found = async (...keys: string[]) =>
        (
          await opened.other.findAll(
            'acme',
            keys.map((key) => `manual:${key}`),
          )
        )
          .map(({ food }) => food.id.slice('manual:'.length))
          .toSorted();
      expect(await found('f', 'c', 'none', 'a', 'theirs', '\0', '\ud83e')).toEqual(['a', 'f']);
      expect(await found('a', 'b', 'c', 'd', 'e')).toEqual(['a', 'b', 'd', 'e']);
      expect(await found('e', 'e', 'e')).toEqual(['e']);
      expect(await found()).toEqual([]);
    });

    test("a user's food keeps its owner, can move to another user or all, and be deleted", async () => {
      const food = customFood();
      const ofAnn = { ...food, userId: 'ann' };
      const states = [ofAnn, { ...food, userId: 'bob' }, food, ofAnn];
      let { revision, version } = await store.put('acme', states[0]!);
      for (const state of states) {
        const replaced = await store.replace('acme', state, version);
        if (replaced.outcome !== 'replaced') expect.unreachable(replaced.outcome);
        ({ revision, version } = replaced);
        const found = { tenant: 'acme', food: state, revision, version };
        expect(await opened.other.find('acme', food.id)).toEqual(found);
        expect(await opened.other.changesAfter('acme', revision - 1, MANY)).toEqual([
          { id: food.id, revision, food: state },
        ]);
      }
      expect((await store.remove('acme', food.id, version)).outcome).toBe('replaced');
      expect(await store.find('acme', food.id)).toBeUndefined();
      expect(await store.replace('acme', ofAnn, version + 1)).toEqual({ outcome: 'missing' });
      await store.put('acme', ofAnn);
      expect((await store.find('acme', food.id))?.food).toEqual(ofAnn);
    });

    test('a reader that follows the changes misses none under concurrent writes', async () => {
      const writers = Array.from({ length: 50 }, (_, at) =>
        (at % 2 === 0 ? store : opened.other).put('acme', customFood({ key: `w${at}` })),
      );
      const seen = new Set<string>();
      let revision = 0;
      const follow = async () => {
        const changes = (await store.changesAfter('acme', revision, 7))!;
        for (const change of changes) seen.add(change.id);
        revision = changes.at(-1)?.revision ?? revision;
        return changes.length;
      };
      for (const writer of writers) {
        await writer;
        await follow();
      }
      while ((await follow()) > 0);
      expect(seen.size).toBe(writers.length);
      expect(new Set((await Promise.all(writers)).map(({ revision: of }) => of)).size).toBe(writers.length);
    });

    test('revisions become visible in order under concurrent writes', async () => {
      const seen = new Set<number>();
      let [revision, isWriting] = [0, true];
      const follow = async () => {
        // Only an empty read that began after the last write proves that nothing is left.
        for (let more = true, wasWriting = true; more || wasWriting; ) {
          wasWriting = isWriting;
          const changes = (await opened.other.changesAfter('acme', revision, 5))!;
          for (const change of changes) seen.add(change.revision);
          more = changes.length > 0;
          revision = changes.at(-1)?.revision ?? revision;
        }
      };
      const following = follow();
      const written = await Promise.all(
        Array.from({ length: 60 }, (_, at) =>
          (at % 2 === 0 ? store : opened.other).put('acme', customFood({ key: `v${at}` })),
        ),
      );
      isWriting = false;
      await following;
      expect([...seen].toSorted((a, b) => a - b)).toEqual(
        written.map(({ revision: of }) => of).toSorted((a, b) => a - b),
      );
    });

    test('exactly one of many concurrent replacements of a version succeeds', async () => {
      const { version } = await store.put('acme', customFood());
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? store : opened.other).replace('acme', customFood({ name: `${at}` }), version),
        ),
      );
      expect(outcomes.filter(({ outcome }) => outcome === 'replaced')).toHaveLength(1);
      expect(outcomes.filter(({ outcome }) => outcome === 'conflict')).toHaveLength(19);
    });

    test('the least recently written food of all tenants is found', async () => {
      expect(await store.findOldestShared()).toBeUndefined();
      for (const key of ['a', 'b', 'c']) await store.put(EVERY_TENANT, customFood({ key }));
      await store.put('acme', customFood({ key: 'first' }));
      await store.put(EVERY_TENANT, customFood({ key: 'a', name: 'Again' }));
      await store.remove(EVERY_TENANT, customFood({ key: 'b' }).id);
      expect((await opened.other.findOldestShared())?.food.id).toBe('manual:c');
    });

    foodQuotaContract(() => opened);
  });
}
