import { randomBytes } from 'node:crypto';
import type { FoodId } from '@larder/core/food.ts';
import { FURTHER_KEYS } from '@larder/core/nutrients.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIds } from '../../src/base/time-ordered-id.ts';
import { type Day, oneDay, parseDayRange, WHOLE_DIARY } from '../../src/diary/records/day.ts';
import {
  type DiaryEntry,
  type DiaryOwner,
  MAX_DAY_ENTRIES,
  MEAL_TYPES,
  OTHER_AMOUNTS,
} from '../../src/diary/records/entry.ts';
import { type Thousandths, toThousandths } from '../../src/diary/records/exact-amount.ts';
import { ALWAYS, type Goals, goalsOn } from '../../src/diary/records/goals.ts';
import { sumAmounts, toSums } from '../../src/diary/records/totals.ts';
import type { DiaryStore } from '../../src/diary/store/diary-store.ts';
import type { CustomFoodStore } from '../../src/foods/custom/custom-food-store.ts';
import { customFood } from '../support/custom-food.ts';
import { newEntry, newMeasurement, newRecipe } from '../support/diary-entries.ts';
import { runs } from '../support/runs.ts';
import { exactEntriesContract } from './exact-entries.ts';
import { longReadsContract } from './long-reads.ts';

export interface OpenStores {
  /** Two connections to the same diaries, as two API threads have them. */
  readonly here: DiaryStore;
  readonly there: DiaryStore;
  /** A store in which a user may add `MAX_NEW_ENTRIES` within 24 hours. */
  readonly limited: DiaryStore;
  /** The foods of the same database. */
  readonly foods: CustomFoodStore;
  close(): Promise<void>;
}

export const MAX_NEW_ENTRIES = 5;
const DAY = '2026-01-31' as Day;
const DAY_MS = 86_400_000;
const LIMIT = 20_000;
const sumsOf = (entries: readonly DiaryEntry[]) => toSums(sumAmounts(entries));

/** Contract of `DiaryStore`, run over each adapter. */
export function diaryStoreContract(adapter: string, open: () => Promise<OpenStores>): void {
  describe(`diary store: ${adapter}`, () => {
    let stores: OpenStores;
    let store: DiaryStore;
    let owners = 0;
    /** Each test has its own user. */
    const newOwner = (): DiaryOwner => ({ tenant: 'acme', userId: `user-${++owners}` });
    const listDay = (owner: DiaryOwner, date = DAY) =>
      store.listEntries(owner, { range: oneDay(date), limit: LIMIT });

    beforeAll(async () => {
      stores = await open();
      store = stores.here;
    });
    afterAll(() => stores?.close());

    test('an added entry is found unchanged, with all fields or only the required ones', async () => {
      const owner = newOwner();
      const others = Object.fromEntries(
        [...OTHER_AMOUNTS, ...FURTHER_KEYS].map((key, at) => [key, 100_000 - at / 1000]),
      );
      const full = newEntry({
        foodName: 'Crème brûlée, "la vraie" 🍮',
        foodId: 'off:3017620422003' as FoodId,
        barcode: '3017620422003',
        recipeId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
        quantity: 1.5,
        unit: '2 slices',
        eatenAt: '2026-01-31T12:30:00+01:00',
        note: 'at Luigi’s\nno sauce',
        amounts: {
          calories: 20_000,
          protein: 0.001,
          carbs: 1_000_000,
          fat: 0.1,
          fiber: 0,
          sodium: 12.345,
          ...others,
        },
      });
      const small = newEntry();
      await store.addEntries(owner, [full, small]);
      expect(await store.findEntry(owner, full.id)).toEqual(full);
      expect(await store.findEntry(owner, small.id)).toEqual(small);
    });

    test('a list is ordered by day and time of writing, and its pages have no gaps or duplicates', async () => {
      const owner = newOwner();
      const days = ['2026-01-02', '2026-01-01', '2026-01-03', '2026-01-01'] as Day[];
      const entries = days.flatMap((date) => [newEntry({ date }), newEntry({ date })]);
      await store.addEntries(owner, entries);
      const expected = entries.toSorted((a, b) => (a.date + a.id < b.date + b.id ? -1 : 1));
      const paged: DiaryEntry[] = [];
      for (;;) {
        const after = paged.at(-1);
        const page = await store.listEntries(owner, {
          range: WHOLE_DIARY,
          limit: 3,
          ...(after && { after }),
        });
        paged.push(...page);
        if (page.length < 3) break;
      }
      expect(paged).toEqual(expected);
      expect(await store.listLatest(owner, 5)).toEqual(expected.toReversed().slice(0, 5));
      const range = parseDayRange('2026-01-02', '2026-01-03');
      expect(await store.listEntries(owner, { range, limit: LIMIT })).toEqual(expected.slice(4));
    });

    test('totals of 10,000 entries equal the decimal sum', async () => {
      const owner = newOwner();
      const cents = fc.sample(fc.nat(99_999), 10_000);
      const entries = cents.map((value) =>
        newEntry({ amounts: { calories: value / 100, protein: 0.1, fat: 0.001, sodium: 0.3 } }),
      );
      for (let at = 0; at < entries.length; at += 1000) {
        await store.addEntries(owner, entries.slice(at, at + 1000));
      }
      const exact = cents.reduce((sum, value) => sum + BigInt(value) * 10n, 0n);
      const [sums] = await store.sumDays(owner, oneDay(DAY));
      expect(sums?.totals).toEqual({
        calories: Number(exact),
        protein: 1_000_000,
        carbs: 0,
        fat: 10_000,
        fiber: 0,
        sodium: 3_000_000,
      });
    });

    exactEntriesContract({ store: () => store, newOwner });
    longReadsContract({ store: () => store, other: () => stores.there, newOwner });

    test('sums are by day; days without entries are absent', async () => {
      const owner = newOwner();
      const first = newEntry({ date: '2026-02-01' as Day, amounts: { calories: 100, fiber: 3 } });
      const last = newEntry({ date: '2026-02-03' as Day, amounts: { calories: 50 } });
      await store.addEntries(owner, [first, last]);
      expect(await store.sumDays(owner, parseDayRange('2026-02-01', '2026-02-28'))).toEqual([
        { date: '2026-02-01', entries: 1, ...sumsOf([first]) },
        { date: '2026-02-03', entries: 1, ...sumsOf([last]) },
      ]);
      expect(await store.sumDays(owner, oneDay('2026-03-01' as Day))).toEqual([]);
    });

    test('sums per meal add up to those of the day', async () => {
      const owner = newOwner();
      const entries = fc.sample(fc.tuple(fc.constantFrom(...MEAL_TYPES.slice(1)), fc.nat(99_999)), 50);
      const eaten = entries.map(([mealType, amount]) =>
        newEntry({
          mealType,
          amounts: { calories: amount / 1000, ...(amount % 2 === 0 && { iron: amount / 7 }) },
        }),
      );
      await store.addEntries(owner, eaten);
      const [day, ...others] = await store.sumDays(owner, oneDay(DAY), 'meal');
      expect(others).toEqual([]);
      const meals = MEAL_TYPES.flatMap((meal) => {
        const of = eaten.filter(({ mealType }) => mealType === meal);
        return of.length === 0 ? [] : [[meal, sumsOf(of)]];
      });
      expect(day).toEqual({
        date: DAY,
        entries: eaten.length,
        ...sumsOf(eaten),
        meals: Object.fromEntries(meals),
      });
      expect(await store.sumDays(owner, parseDayRange('2026-01-01', '2026-02-28'), 'meal')).toEqual([day]);
      expect(await store.sumDays(owner, oneDay('2026-02-01' as Day), 'meal')).toEqual([]);
    });

    test('a batch is added as a whole or not at all', async () => {
      const owner = newOwner();
      const known = newEntry();
      await store.addEntries(owner, [known]);
      await expect(store.addEntries(owner, [newEntry(), newEntry(), known])).rejects.toThrow();
      expect(await listDay(owner)).toEqual([known]);
    });

    test('a change replaces the previous version, also when it moves to another day', async () => {
      const owner = newOwner();
      const entry = newEntry();
      await store.addEntries(owner, [entry]);
      const moved = { ...entry, date: '2026-02-01' as Day, foodName: 'Borscht', version: 2 };
      expect(await store.replaceEntry(owner, moved)).toBe('done');
      expect(await store.findEntry(owner, entry.id)).toEqual(moved);
      expect(await listDay(owner)).toEqual([]);
      expect(await listDay(owner, moved.date)).toEqual([moved]);
    });

    test('a change or removal that expects another version is a conflict and changes nothing', async () => {
      const owner = newOwner();
      const entry = newEntry();
      await store.addEntries(owner, [entry]);
      expect(await store.replaceEntry(owner, { ...entry, version: 3 })).toBe('conflict');
      expect(await store.removeEntry(owner, entry.id, 2)).toBe('conflict');
      expect(await store.findEntry(owner, entry.id)).toEqual(entry);
      expect(await store.removeEntry(owner, entry.id, 1)).toBe('done');
      expect(await store.removeEntry(owner, entry.id, 1)).toBe('missing');
      expect(await store.replaceEntry(owner, { ...entry, version: 2 })).toBe('missing');
    });

    test('exactly one of 100 concurrent changes to one version succeeds', async () => {
      const owner = newOwner();
      const entry = newEntry();
      await store.addEntries(owner, [entry]);
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, writer) =>
          (writer % 2 === 0 ? store : stores.there).replaceEntry(owner, {
            ...entry,
            foodName: `by ${writer}`,
            version: 2,
          }),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      const winner = outcomes.indexOf('done');
      expect(await store.findEntry(owner, entry.id)).toMatchObject({ foodName: `by ${winner}`, version: 2 });
    });

    test('100 concurrent writers of one user lose nothing, and readers see only complete batches', async () => {
      const owner = newOwner();
      const batches = Array.from({ length: 100 }, () => [newEntry(), newEntry(), newEntry()]);
      let writing = true;
      const written = Promise.all(
        batches.map((batch, writer) => (writer % 2 === 0 ? store : stores.there).addEntries(owner, batch)),
      ).finally(() => {
        writing = false;
      });
      while (writing) {
        expect((await listDay(owner)).length % 3).toBe(0);
        const [sums] = await stores.there.sumDays(owner, oneDay(DAY));
        expect((sums?.totals.calories ?? 0) % 3000).toBe(0);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await written;
      const ids = (await listDay(owner)).map(({ id }) => id);
      expect(ids).toEqual(
        batches
          .flat()
          .map(({ id }) => id)
          .sort(),
      );
    });

    test('a confirmed write is visible to other threads', async () => {
      const owner = newOwner();
      for (let round = 0; round < 20; round++) {
        const entry = newEntry();
        await store.addEntries(owner, [entry]);
        expect(await stores.there.findEntry(owner, entry.id)).toEqual(entry);
      }
    });

    test('each confirmed change returns another hint, or none, on every thread', async () => {
      const owner = newOwner();
      const entry = newEntry();
      const changes = [
        () => store.addEntries(owner, [entry]),
        () => store.replaceEntry(owner, { ...entry, version: 2 }),
        () => store.removeEntry(owner, entry.id),
        () => store.eraseUser(owner),
      ];
      for (const change of changes) {
        const before = stores.there.hint(owner);
        await change();
        if (before !== undefined) expect(stores.there.hint(owner)).not.toBe(before);
      }
    });

    test('entries of other users and tenants cannot be found, summed, changed or removed', async () => {
      const owner = newOwner();
      const entry = newEntry();
      const recipe = newRecipe();
      await store.addEntries(owner, [entry]);
      const measurement = newMeasurement();
      await store.measurements.add(owner, [measurement]);
      await store.recipes.add(owner, [recipe]);
      await store.goals.put(owner, { from: ALWAYS, amounts: { calories: toThousandths(2000) } });
      for (const other of [
        { ...owner, tenant: 'other' },
        { ...owner, userId: `${owner.userId}0` },
        { tenant: owner.userId, userId: owner.tenant },
      ]) {
        expect(await store.findEntry(other, entry.id)).toBeUndefined();
        expect(await listDay(other)).toEqual([]);
        expect(await store.listLatest(other, 10)).toEqual([]);
        expect(await store.sumDays(other, oneDay(DAY))).toEqual([]);
        expect(await store.removeEntry(other, entry.id)).toBe('missing');
        expect(await store.replaceEntry(other, { ...entry, version: 2 })).toBe('missing');
        expect(await store.recipes.find(other, recipe.id)).toBeUndefined();
        expect(await store.recipes.remove(other, recipe.id)).toBe('missing');
        expect(await store.recipes.listById(other, { limit: 10 })).toEqual([]);
        expect(await store.goals.list(other)).toEqual([]);
        expect(await store.measurements.find(other, measurement.id)).toBeUndefined();
        expect(await store.measurements.remove(other, measurement.id)).toBe('missing');
        expect(await store.measurements.list(other, { limit: 10 })).toEqual([]);
        await store.eraseUser(other);
      }
      expect(await store.findEntry(owner, entry.id)).toEqual(entry);
      expect(await store.measurements.find(owner, measurement.id)).toEqual(measurement);
    });

    test('a day accepts entries up to its limit, and a batch over it adds nothing', async () => {
      const owner = newOwner();
      for (let at = 0; at < MAX_DAY_ENTRIES; at += 5000) {
        await store.addEntries(
          owner,
          Array.from({ length: 5000 }, () => newEntry()),
        );
      }
      await expect(store.addEntries(owner, [newEntry()])).rejects.toMatchObject({
        code: 'invalid_request',
        details: { max: MAX_DAY_ENTRIES },
      });
      expect(await listDay(owner)).toHaveLength(MAX_DAY_ENTRIES);
    });

    test('recipes are stored, listed in pages, changed and removed by version', async () => {
      const owner = newOwner();
      const [first, second] = [newRecipe(), newRecipe()];
      await store.recipes.add(owner, [first]);
      await store.recipes.add(owner, [second]);
      expect(await store.recipes.listById(owner, { limit: 1 })).toEqual([first]);
      expect(await store.recipes.listById(owner, { limit: 5, after: first.id })).toEqual([second]);
      const changed = { ...first, name: 'Shakshuka', servings: 2.5, version: 2 };
      expect(await store.recipes.replace(owner, changed)).toBe('done');
      expect(await store.recipes.replace(owner, changed)).toBe('conflict');
      expect(await store.recipes.find(owner, first.id)).toEqual(changed);
      expect(await store.recipes.remove(owner, first.id, 1)).toBe('conflict');
      expect(await store.recipes.remove(owner, first.id)).toBe('done');
      expect(await store.recipes.find(owner, first.id)).toBeUndefined();
    });

    test('goals replace those of the same day, and their history only on request', async () => {
      const owner = newOwner();
      const kcal = (value: number) => ({ calories: toThousandths(value), fiber: toThousandths(30) });
      const weekdays = { friday: kcal(9), sunday: { sugars: toThousandths(0.5) } };
      await store.goals.put(owner, { from: '2026-02-01' as Day, amounts: kcal(1800), weekdays });
      await store.goals.put(owner, { from: '2026-01-01' as Day, amounts: {}, weekdays });
      expect(await store.goals.list(owner)).toEqual([
        { from: '2026-01-01', amounts: {}, weekdays },
        { from: '2026-02-01', amounts: kcal(1800), weekdays },
      ]);
      await store.goals.put(owner, { from: '2026-01-01' as Day, amounts: kcal(2000) });
      await store.goals.put(owner, { from: '2026-02-01' as Day, amounts: kcal(1700) });
      const kept = [
        { from: '2026-01-01', amounts: kcal(2000) },
        { from: '2026-02-01', amounts: kcal(1700) },
      ];
      expect(await store.goals.list(owner)).toEqual(kept);
      await store.goals.put(owner, { from: ALWAYS, amounts: kcal(1900) });
      expect(await store.goals.list(owner)).toEqual([{ from: ALWAYS, amounts: kcal(1900) }, ...kept]);
      const others = newOwner();
      await store.goals.put(others, { from: '2026-01-01' as Day, amounts: kcal(1) });
      for (const from of ['2026-02-01' as Day, '2026-03-01' as Day, ALWAYS]) {
        await store.goals.put(owner, { from, amounts: {} }, { replaceHistory: true });
        expect(await store.goals.list(owner)).toEqual([{ from, amounts: {} }]);
      }
      expect(await store.goals.list(others)).toHaveLength(1);
    });

    test('goals are written only for the expected version, which every write of a goal raises', async () => {
      const [owner, other] = [newOwner(), newOwner()];
      const [first, second] = ['2026-01-01', '2026-02-01'].map((from) => ({
        from: from as Day,
        amounts: { calories: toThousandths(2000) },
      })) as [Goals, Goals];
      const { goals } = store;
      expect(await goals.read(owner)).toEqual({ version: 0, all: [] });
      expect(await goals.put(owner, first, { expected: 1 })).toBeUndefined();
      expect(await goals.put(owner, first, { expected: 0 })).toBe(1);
      expect(await goals.put(owner, second, { expected: 0 })).toBeUndefined();
      expect(await goals.put(owner, second)).toBe(2);
      expect(await goals.put(owner, first, { expected: 1, replaceHistory: true })).toBeUndefined();
      expect(await goals.remove(owner, first.from, 1)).toBe('conflict');
      expect(await goals.remove(owner, undefined, 3)).toBe('conflict');
      expect(await goals.remove(owner, ALWAYS, 2)).toBe('missing');
      expect(await goals.read(owner)).toEqual({ version: 2, all: [first, second] });
      expect(await goals.remove(owner, first.from, 2)).toBe('done');
      expect(await goals.read(owner)).toEqual({ version: 3, all: [second] });
      await goals.put(other, first);
      expect(await goals.remove(owner, undefined)).toBe('done');
      expect(await goals.remove(owner, undefined)).toBe('missing');
      expect(await goals.put(owner, first, { expected: 4 })).toBe(5);
      expect(await goals.read(other)).toEqual({ version: 1, all: [first] });
    });

    test('of concurrent writes for one version of goals one is done', async () => {
      const owner = newOwner();
      await store.goals.put(owner, { from: ALWAYS, amounts: {} });
      const written = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          (at % 2 === 0 ? store : stores.there).goals.put(
            owner,
            { from: `2026-01-0${at + 1}` as Day, amounts: {} },
            { expected: 1 },
          ),
        ),
      );
      expect(written.filter((version) => version !== undefined)).toEqual([2]);
      expect(await store.goals.list(owner)).toHaveLength(2);
    });

    test('goals of a day are the latest ones, in whatever order they were set', async () => {
      const day = fc.integer({ min: 10, max: 30 }).map((date) => `2026-01-${date}` as Day);
      const stated = fc.record({ from: day, calories: fc.nat(9_999_999), replaceHistory: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(stated, { maxLength: 12 }), day, async (all, asked) => {
          const owner = newOwner();
          const naive = new Map<Day, number>();
          for (const { from, calories, replaceHistory } of all) {
            const goals = { from, amounts: { calories: calories as Thousandths } };
            await store.goals.put(owner, goals, { replaceHistory });
            if (replaceHistory) naive.clear();
            naive.set(from, calories);
          }
          const before = [...naive.keys()].filter((from) => from <= asked).sort();
          const goals = goalsOn(await stores.there.goals.list(owner), asked);
          expect(goals?.amounts.calories).toBe(before.length === 0 ? undefined : naive.get(before.at(-1)!));
        }),
        { numRuns: runs(15) },
      );
    });

    test('a user at the quota of 24 hours can only add single entries', async () => {
      const [owner, other] = [newOwner(), newOwner()];
      const { limited } = stores;
      const yesterdays = newEntry();
      const nowMs = yesterdays.createdAt + DAY_MS + 1;
      const entries = (count: number, { days = 1, atMs = nowMs } = {}) =>
        createIds(count, atMs, randomBytes).map((id, at) =>
          newEntry({ id, createdAt: atMs, date: `2026-01-0${1 + (at % days)}` as Day }),
        );
      await limited.addEntries(owner, [yesterdays]);
      await limited.addEntries(other, entries(MAX_NEW_ENTRIES));
      const removed = entries(2);
      await limited.addEntries(owner, removed);
      for (const { id } of removed) await limited.removeEntry(owner, id);
      await limited.addEntries(owner, entries(3, { days: 3 }));
      await expect(limited.addEntries(owner, entries(3, { days: 3 }))).rejects.toMatchObject({
        code: 'quota_exceeded',
        details: { quota: 'new_entries_per_user', limit: MAX_NEW_ENTRIES, used: 3 },
      });
      await limited.addEntries(owner, entries(2, { days: 2 }));
      await expect(limited.addEntries(owner, entries(2))).rejects.toMatchObject({ code: 'quota_exceeded' });
      await limited.addEntries(owner, entries(1));
      await limited.addEntries(owner, entries(2, { atMs: nowMs + DAY_MS + 1 }));
      expect(await store.listEntries(owner, { range: WHOLE_DIARY, limit: 20 })).toHaveLength(9);
    });

    test('an erased user has no data left and can start again', async () => {
      const owner = newOwner();
      const entry = newEntry();
      await store.addEntries(owner, [entry, newEntry()]);
      await store.recipes.add(owner, [newRecipe()]);
      await store.measurements.add(owner, [newMeasurement(), newMeasurement()]);
      await store.goals.put(owner, { from: ALWAYS, amounts: { calories: toThousandths(2000) } });
      await store.eraseUser(owner);
      expect(await store.listEntries(owner, { range: WHOLE_DIARY, limit: 10 })).toEqual([]);
      expect(await store.recipes.listById(owner, { limit: 10 })).toEqual([]);
      expect(await store.goals.list(owner)).toEqual([]);
      expect(await store.measurements.list(owner, { limit: 10 })).toEqual([]);
      await store.addEntries(owner, [entry]);
      expect(await listDay(owner)).toEqual([entry]);
    });

    test('a large diary is erased in slices, between which other writes run', async () => {
      const [owner, other] = [newOwner(), newOwner()];
      for (let at = 0; at < MAX_DAY_ENTRIES; at += 5_000)
        await store.addEntries(
          owner,
          Array.from({ length: 5_000 }, () => newEntry()),
        );
      let isErased = false;
      const erasing = store.eraseUser(owner).finally(() => {
        isErased = true;
      });
      const entries: DiaryEntry[] = [];
      while (!isErased) {
        const entry = newEntry();
        await stores.there.addEntries(other, [entry]);
        entries.push(entry);
      }
      await erasing;
      expect(entries.length).toBeGreaterThan(3);
      expect(await listDay(other)).toEqual(entries);
      expect(await store.listEntries(owner, { range: WHOLE_DIARY, limit: 10 })).toEqual([]);
    });

    test("erasing a user deletes only that user's foods, each as a separate change", async () => {
      const { foods } = stores;
      const [owner, other] = [newOwner(), newOwner()];
      const own = ['a', 'b', 'c'].map((key) => ({
        ...customFood({ key: `${owner.userId}-${key}` }),
        ...owner,
      }));
      const kept = [
        { tenant: owner.tenant, food: customFood({ key: `${owner.userId}-shared` }) },
        { tenant: owner.tenant, food: { ...customFood({ key: `${owner.userId}-x` }), userId: other.userId } },
        { tenant: 'other', food: { ...customFood({ key: `${owner.userId}-y` }), userId: owner.userId } },
      ];
      for (const { tenant, ...food } of own) await foods.put(tenant, food);
      for (const { tenant, food } of kept) await foods.put(tenant, food);
      const revision = (await foods.latestRevisions([owner.tenant])).get(owner.tenant)!;
      // The tenant has no room for another food, and afterwards for as many as were erased.
      const { length: count } = await foods.list(owner.tenant, '', 1_000);
      const next = customFood({ key: `${owner.userId}-next` });
      const putNext = (more: number) => foods.put(owner.tenant, next, { foods: count + more, words: 10_000 });
      await expect(putNext(0)).rejects.toMatchObject({ code: 'quota_exceeded' });
      await store.eraseUser(owner);
      await expect(putNext(-own.length)).rejects.toMatchObject({ code: 'quota_exceeded' });
      for (const { tenant, id } of own) expect(await foods.find(tenant, id)).toBeUndefined();
      for (const { tenant, food } of kept) expect((await foods.find(tenant, food.id))?.food).toEqual(food);
      const changes = (await foods.changesAfter(owner.tenant, revision, 10))!;
      expect(changes.map(({ id, food }) => [id, food])).toEqual(own.map(({ id }) => [id, undefined]));
      expect(new Set(changes.map((change) => change.revision)).size).toBe(own.length);
      expect((await putNext(1 - own.length)).revision).toBeGreaterThan(changes.at(-1)!.revision);
    });
  });
}
