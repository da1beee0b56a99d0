import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@larder/core/errors.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChangeLog } from '../../src/changes/change-log.ts';
import { ChangeWatch } from '../../src/changes/change-watch.ts';
import { DeletionSweeper } from '../../src/changes/deletion-sweeper.ts';
import { readEpoch } from '../../src/changes/epoch.ts';
import type { ChangeHints } from '../../src/db/change-hints.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { KEPT_DELETIONS_MS } from '../../src/db/writer.ts';
import { FeedPages } from '../../src/diary/feed/feed-pages.ts';
import { type FeedChange, UserFeed } from '../../src/diary/feed/user-feed.ts';
import { type Day, WHOLE_DIARY } from '../../src/diary/records/day.ts';
import type { DiaryOwner } from '../../src/diary/records/entry.ts';
import { toThousandths } from '../../src/diary/records/exact-amount.ts';
import { DAY, FAVOURITE, MEAL } from '../../src/diary/records/record-kinds.ts';
import type { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { CustomFoodStore } from '../../src/foods/custom/custom-food-store.ts';
import { customFood } from '../support/custom-food.ts';
import { newEntry, newMeasurement, newRecipe, newRecord } from '../support/diary-entries.ts';
import { runs } from '../support/runs.ts';

/** One thread of a service, or one node of a cluster. */
export interface FeedThread {
  readonly sql: SqlDatabase;
  readonly diary: DiaryStore;
  readonly hints: ChangeHints;
}

export interface OpenFeeds {
  readonly here: FeedThread;
  readonly there: FeedThread;
  close(): Promise<void>;
}

const NEVER = new AbortController().signal;
/** Long enough for a hint to arrive, and far too long to wait in a test. */
const LONG_MS = 60_000;

function unexpected(cause: unknown): never {
  throw cause;
}

export class FeedNode {
  readonly diary: DiaryStore;
  readonly foods: CustomFoodStore;
  readonly sql: SqlDatabase;
  readonly feeds: FeedPages;
  readonly watch: ChangeWatch;

  constructor({ sql, diary, hints }: FeedThread) {
    this.sql = sql;
    this.diary = diary;
    this.foods = new CustomFoodStore(sql);
    this.watch = new ChangeWatch({ db: sql.db, hints, pollMs: 500, onError: unexpected });
    const feed = new UserFeed({ log: new ChangeLog(sql), diaries: diary, foods: this.foods });
    this.feeds = new FeedPages({ feed, watch: this.watch, readEpoch: () => readEpoch(sql) });
  }

  page(owner: DiaryOwner, cursor: string | undefined, { limit = 500, waitMs = 0, hasFoods = true } = {}) {
    const toObject = (change: FeedChange) => change;
    return this.feeds.page({ owner, cursor, limit, waitMs, hasFoods, signal: NEVER, toObject });
  }
}

/** A client that keeps a copy of the feed's content. */
class Reader {
  readonly owner: DiaryOwner;
  readonly copy = new Map<string, unknown>();
  cursor: string | undefined;

  constructor(owner: DiaryOwner) {
    this.owner = owner;
  }

  /** False if nothing follows at once. */
  async read(node: FeedNode, limit: number): Promise<boolean> {
    try {
      const { changes, cursor, more } = await node.page(this.owner, this.cursor, { limit });
      this.cursor = cursor;
      for (const { kind, id, value } of changes as FeedChange[]) {
        if (value === undefined) this.copy.delete(`${kind} ${id}`);
        else this.copy.set(`${kind} ${id}`, value);
      }
      return more;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'cursor_expired') throw error;
      this.cursor = undefined;
      this.copy.clear();
      return true;
    }
  }

  async readAll(node: FeedNode, limit: number): Promise<void> {
    while (await this.read(node, limit));
  }
}

async function everything({ diary, foods }: FeedNode, owner: DiaryOwner): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>();
  for (const entry of await diary.listEntries(owner, { range: WHOLE_DIARY, limit: 10_000 }))
    all.set(`entry ${entry.id}`, entry);
  for (const recipe of await diary.recipes.listById(owner, { limit: 10_000 }))
    all.set(`recipe ${recipe.id}`, recipe);
  for (const measured of await diary.measurements.list(owner, { limit: 10_000 }))
    all.set(`measurement ${measured.id}`, measured);
  for (const { kind, record } of await diary.records.listAll(owner, { kind: '', id: '' }, 10_000))
    all.set(`${kind} ${record.id}`, record);
  const goals = await diary.goals.read(owner);
  if (goals.all.length > 0) all.set('goals goals', goals);
  for (const found of await foods.list(owner.tenant, '', 10_000, { userId: owner.userId }))
    all.set(`food ${found.food.id}`, found);
  return all;
}

const USERS = ['ann', 'bob'];
const SLOTS = 4;
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03'] as Day[];

const command = fc.record({
  what: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('addEntry', 'changeEntry', 'removeEntry') },
    { weight: 3, arbitrary: fc.constantFrom('addRecipe', 'changeRecipe', 'removeRecipe', 'putGoals') },
    { weight: 3, arbitrary: fc.constantFrom('addMeasurement', 'changeMeasurement', 'removeMeasurement') },
    { weight: 3, arbitrary: fc.constantFrom('addRecord', 'changeRecord', 'removeRecord') },
    { weight: 4, arbitrary: fc.constantFrom('putFood', 'shareFood', 'removeFood') },
    { weight: 1, arbitrary: fc.constantFrom('erase', 'sweep') },
    { weight: 8, arbitrary: fc.constant('read' as const) },
  ),
  user: fc.constantFrom(...USERS),
  slot: fc.nat(SLOTS - 1),
  day: fc.constantFrom(...DAYS),
  isThere: fc.boolean(),
  limit: fc.integer({ min: 1, max: 5 }),
});
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Step extends Pick<Command, 'slot' | 'day'> {
  readonly node: FeedNode;
  readonly owner: DiaryOwner;
  readonly key: string;
}

/** Contract of the feed of a user, for any adapter. */
export function userFeedContract(adapter: string, open: () => Promise<OpenFeeds>): void {
  describe(`feed of changes: ${adapter}`, () => {
    let opened: OpenFeeds;
    let here: FeedNode;
    let there: FeedNode;
    let tenants = 0;
    const newOwner = (): DiaryOwner => ({ tenant: `tenant-${++tenants}`, userId: 'ann' });
    beforeAll(async () => {
      opened = await open();
      [here, there] = [new FeedNode(opened.here), new FeedNode(opened.there)];
    });
    afterAll(async () => {
      here?.watch.close();
      there?.watch.close();
      await opened?.close();
    });

    /** Runs commands of users of one tenant, each with a reader. */
    function play(tenant: string) {
      const readers = new Map(USERS.map((userId) => [userId, new Reader({ tenant, userId })]));
      const entries = new Map<string, string>();
      const recipes = new Map<string, string>();
      const measured = new Map<string, string>();
      const described = new Map<string, string>();
      const kindOf = (slot: number) => [DAY, FAVOURITE, MEAL][slot % 3]!;
      const writes: Record<Exclude<Command['what'], 'read'>, (step: Step) => Promise<unknown>> = {
        addEntry: async ({ node, owner, key, day }) => {
          const entry = newEntry({ date: day });
          entries.set(key, entry.id);
          await node.diary.addEntries(owner, [entry, newEntry({ date: day })]);
        },
        changeEntry: async ({ node, owner, key, day }) => {
          const entry = await node.diary.findEntry(owner, entries.get(key) ?? '');
          if (entry !== undefined)
            await node.diary.replaceEntry(owner, { ...entry, date: day, version: entry.version + 1 });
        },
        removeEntry: ({ node, owner, key }) => node.diary.removeEntry(owner, entries.get(key) ?? ''),
        addRecipe: async ({ node, owner, key }) => {
          const recipe = newRecipe();
          recipes.set(key, recipe.id);
          await node.diary.recipes.add(owner, [recipe]);
        },
        changeRecipe: async ({ node, owner, key, day }) => {
          const recipe = await node.diary.recipes.find(owner, recipes.get(key) ?? '');
          if (recipe !== undefined)
            await node.diary.recipes.replace(owner, { ...recipe, name: day, version: recipe.version + 1 });
        },
        removeRecipe: ({ node, owner, key }) => node.diary.recipes.remove(owner, recipes.get(key) ?? ''),
        addMeasurement: async ({ node, owner, key, slot, day }) => {
          const [first, second] = [
            newMeasurement({ measuredAt: `${day}T07:00:00Z` }),
            newMeasurement({ value: slot }),
          ];
          measured.set(key, first.id);
          await node.diary.measurements.add(owner, [first, second]);
        },
        changeMeasurement: async ({ node, owner, key, slot }) => {
          const found = await node.diary.measurements.find(owner, measured.get(key) ?? '');
          if (found !== undefined)
            await node.diary.measurements.replace(owner, {
              ...found,
              value: slot,
              version: found.version + 1,
            });
        },
        removeMeasurement: ({ node, owner, key }) =>
          node.diary.measurements.remove(owner, measured.get(key) ?? ''),
        addRecord: async ({ node, owner, key, slot }) => {
          const record = newRecord();
          described.set(key, record.id);
          await node.diary.records.of(kindOf(slot)).add(owner, [record]);
        },
        changeRecord: async ({ node, owner, key, slot, day }) => {
          const kind = kindOf(slot);
          const found = await node.diary.records.of(kind).find(owner, described.get(key) ?? '');
          if (found !== undefined)
            await node.diary.records.of(kind).replace(owner, {
              ...found,
              body: { note: day },
              version: found.version + 1,
            });
        },
        removeRecord: ({ node, owner, key, slot }) =>
          node.diary.records.of(kindOf(slot)).remove(owner, described.get(key) ?? ''),
        putGoals: ({ node, owner, slot, day }) => {
          const amounts = { calories: toThousandths(slot + 1) };
          const goals = { from: day, amounts, ...(slot > 1 && { weekdays: { sunday: amounts } }) };
          return node.diary.goals.put(owner, goals, { replaceHistory: slot === 0 });
        },
        putFood: ({ node, owner, slot }) =>
          node.foods.put(tenant, customFood({ key: `f${slot}`, userId: owner.userId })),
        shareFood: ({ node, slot }) => node.foods.put(tenant, customFood({ key: `f${slot}` })),
        removeFood: ({ node, slot }) => node.foods.remove(tenant, customFood({ key: `f${slot}` }).id),
        erase: ({ node, owner }) => node.diary.eraseUser(owner),
        sweep: ({ node }) => sweep(node, KEPT_DELETIONS_MS + 60_000),
      };
      const run = async ({ what, user, slot, day, isThere, limit }: Command): Promise<void> => {
        const node = isThere ? there : here;
        if (what === 'read') await readers.get(user)!.read(node, limit);
        else await writes[what]({ node, owner: { tenant, userId: user }, key: `${user} ${slot}`, slot, day });
      };
      const expectEqual = async (limit: number) => {
        for (const reader of readers.values()) {
          await reader.readAll(there, limit);
          expect(reader.copy).toEqual(await everything(here, reader.owner));
          const { changes, more } = await here.page(reader.owner, reader.cursor);
          expect([changes, more]).toEqual([[], false]);
        }
      };
      return { run, expectEqual };
    }

    async function sweep(node: FeedNode, afterMs: number): Promise<void> {
      const onError = unexpected;
      await new DeletionSweeper({ ...node.sql, nowMs: () => Date.now() + afterMs, onError }).sweep();
    }

    test('after any sequence of writes and reads a reader has the current state', async () => {
      const property = fc.asyncProperty(
        fc.array(command, { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (commands, limit) => {
          const { run, expectEqual } = play(newOwner().tenant);
          for (const each of commands) await run(each);
          await expectEqual(limit);
        },
      );
      await fc.assert(property, { numRuns: runs(20) });
    });

    test('after any interleaving of concurrent writers and readers a reader has the current state', async () => {
      const property = fc.asyncProperty(
        fc.array(fc.array(command, { maxLength: 20 }), { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (lanes, limit) => {
          const { run, expectEqual } = play(newOwner().tenant);
          // Reads of one reader run in sequence.
          const readings = lanes.flat().filter(({ what }) => what === 'read');
          const writes = lanes.map((lane) => lane.filter(({ what }) => what !== 'read'));
          await Promise.all(
            [readings, ...writes].map(async (lane) => {
              for (const each of lane) {
                await run(each);
                await nextTurn();
              }
            }),
          );
          await expectEqual(limit);
        },
      );
      await fc.assert(property, { numRuns: runs(20) });
    });

    test('a reader who began without foods can go on after deletions were forgotten', async () => {
      const owner = newOwner();
      const reader = new Reader(owner);
      await reader.readAll(here, 1);
      const [kept, removed] = [customFood({ key: 'kept' }), customFood({ key: 'removed' })];
      await here.foods.put(owner.tenant, kept);
      await here.foods.put(owner.tenant, removed);
      await here.foods.remove(owner.tenant, removed.id);
      await sweep(here, KEPT_DELETIONS_MS + 60_000);
      await reader.readAll(there, 1);
      expect(reader.copy).toEqual(await everything(here, owner));
      expect((await here.page(owner, reader.cursor)).changes).toEqual([]);
    });

    test('objects from before the log existed are in the first read', async () => {
      const owner = newOwner();
      const [entry, recipe] = [newEntry(), newRecipe()];
      await here.diary.addEntries(owner, [entry]);
      await here.diary.recipes.add(owner, [recipe]);
      await here.sql.writer.write({
        statements: [{ sql: 'delete from changes where tenant_id = $1', runs: [[owner.tenant]] }],
      });
      const reader = new Reader(owner);
      await reader.readAll(there, 1);
      expect(reader.copy).toEqual(await everything(here, owner));
      expect(reader.copy.size).toBe(2);
    });

    test('a reader who begins with nothing gets the first write', async () => {
      const owner = newOwner();
      const { changes, cursor, more } = await there.page(owner, undefined);
      expect([changes, more]).toEqual([[], false]);
      const entry = newEntry();
      await here.diary.addEntries(owner, [entry]);
      const page = await there.page(owner, cursor);
      expect(page.changes).toEqual([{ kind: 'entry', id: entry.id, value: entry }]);
    });

    test('a wait ends with a change by another thread, or after its time', async () => {
      const owner = newOwner();
      const { cursor } = await there.page(owner, undefined);
      const waiting = there.page(owner, cursor, { waitMs: LONG_MS });
      const entry = newEntry();
      await here.diary.addEntries(owner, [entry]);
      const page = await waiting;
      expect(page.changes).toEqual([{ kind: 'entry', id: entry.id, value: entry }]);
      expect((await there.page(owner, page.cursor, { waitMs: 20 })).changes).toEqual([]);
      const erased = expect(there.page(owner, page.cursor, { waitMs: LONG_MS })).rejects.toMatchObject({
        code: 'cursor_expired',
      });
      await here.diary.eraseUser(owner);
      await erased;
    });

    test('the number of waiting requests of one user is limited, without affecting others', async () => {
      const owner = newOwner();
      const { cursor } = await there.page(owner, undefined);
      // Ten of them wait; a short wait could end before it takes a place.
      const asked = Array.from({ length: 11 }, () =>
        there.page(owner, cursor, { waitMs: LONG_MS }).catch(({ code }) => code),
      );
      expect(await Promise.race(asked)).toBe('rate_limit_exceeded');
      expect((await there.page(owner, cursor)).changes).toEqual([]);
      expect((await there.page({ ...owner, userId: 'bob' }, undefined, { waitMs: 1 })).changes).toEqual([]);
      await here.diary.addEntries(owner, [newEntry()]);
      const answers = await Promise.all(asked);
      expect(answers.filter((answer) => answer === 'rate_limit_exceeded')).toHaveLength(1);
      expect(answers.filter((answer) => answer.changes?.length === 1)).toHaveLength(10);
      expect((await there.page(owner, undefined, { waitMs: 1 })).changes).toHaveLength(1);
    });

    test('a cursor is valid for one user and one epoch, and for 90 days', async () => {
      const owner = newOwner();
      const entry = newEntry();
      await here.diary.addEntries(owner, [entry]);
      const { cursor } = await there.page(owner, undefined);
      const expired = { code: 'cursor_expired' };
      await expect(there.page({ ...owner, userId: 'bob' }, cursor)).rejects.toMatchObject(expired);
      await expect(there.page({ ...owner, tenant: 'other' }, cursor)).rejects.toMatchObject(expired);
      await expect(there.page(owner, `${cursor}AAAA`)).rejects.toMatchObject(expired);
      await here.diary.removeEntry(owner, entry.id);
      await sweep(here, KEPT_DELETIONS_MS - 60_000);
      expect((await there.page(owner, cursor)).changes).toEqual([{ kind: 'entry', id: entry.id }]);
      await sweep(here, KEPT_DELETIONS_MS + 60_000);
      await expect(there.page(owner, cursor)).rejects.toMatchObject(expired);
      const anew = await there.page(owner, undefined);
      expect(anew.changes).toEqual([]);
      await here.sql.writer.write({
        statements: [{ sql: 'update feed_epochs set epoch = $1', runs: [['of a restored database']] }],
      });
      await expect(there.page(owner, anew.cursor)).rejects.toMatchObject(expired);
    });

    test('a read without the user’s foods can be continued with them later', async () => {
      const owner = newOwner();
      const food = customFood({ key: 'own', userId: 'ann' });
      await here.foods.put(owner.tenant, food);
      await here.foods.put(owner.tenant, customFood({ key: 'other', userId: 'bob' }));
      const without = await there.page(owner, undefined, { hasFoods: false });
      expect(without.changes).toEqual([]);
      const later = await there.page(owner, without.cursor);
      expect(later.changes).toMatchObject([{ kind: 'food', id: food.id, value: { food, revision: 1 } }]);
      await here.foods.remove(owner.tenant, customFood({ key: 'other' }).id);
      expect((await there.page(owner, later.cursor)).changes).toEqual([]);
      await here.foods.remove(owner.tenant, food.id);
      expect((await there.page(owner, later.cursor)).changes).toEqual([{ kind: 'food', id: food.id }]);
    });

    test('a page ends before it exceeds its length', async () => {
      const owner = newOwner();
      const long = () => ({ ...newRecipe(), name: 'x'.repeat(300_000) });
      for (let at = 0; at < 5; at++) await here.diary.recipes.add(owner, [long()]);
      const page = await there.page(owner, undefined);
      expect(page.changes).toHaveLength(3);
      expect(page.more).toBe(true);
      const rest = await there.page(owner, page.cursor);
      expect(rest.changes).toHaveLength(2);
      expect(rest.more).toBe(false);
    });
  });
}
