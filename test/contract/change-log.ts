import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConstraintError } from '@larder/core/errors.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeLog, LoggedChange } from '../../src/changes/change-log.ts';
import { DeletionSweeper } from '../../src/changes/deletion-sweeper.ts';
import { type Queries, sql } from '../../src/db/sql.ts';
import { type Change, KEPT_DELETIONS_MS, type LogOwner, type Writer } from '../../src/db/writer.ts';
import { type DiaryOwner, MAX_DAY_ENTRIES } from '../../src/diary/records/entry.ts';
import { toThousandths } from '../../src/diary/records/exact-amount.ts';
import { ALWAYS } from '../../src/diary/records/goals.ts';
import type { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { newEntry, newRecipe } from '../support/diary-entries.ts';
import { runs } from '../support/runs.ts';

/** One thread of a service. */
export interface LogThread {
  readonly db: Queries;
  readonly writer: Writer;
  readonly diary: DiaryStore;
  readonly log: ChangeLog;
}

export interface OpenLog {
  readonly here: LogThread;
  readonly there: LogThread;
  close(): Promise<void>;
}

const KINDS = ['entry', 'recipe', 'goals', 'measurement', 'food'] as const;

function unexpected(cause: unknown): never {
  throw cause;
}

/** A write that only takes effect if its first statement does. */
async function writeChange(writer: Writer, change: Change, happens = true): Promise<void> {
  const decision = {
    name: 'decides',
    sql: 'select 1 as ok where cast($1 as integer) = 1',
    runs: [[+happens]],
  };
  await writer.write({ statements: [decision], firstDecides: true, change });
}

/** All changes after `seq`, in pages of `limit`. */
async function follow(log: ChangeLog, owner: LogOwner, seq: number, limit: number): Promise<LoggedChange[]> {
  const all: LoggedChange[] = [];
  for (let next = seq; ; ) {
    const page = await log.since(owner, next, limit);
    if (page === undefined) throw new Error('the log does not reach back so far');
    all.push(...page.changes);
    if (page.changes.length < limit) return all;
    next = page.next;
  }
}

/** Contract of `ChangeLog` for changes of any writer. */
export function changeLogContract(adapter: string, open: () => Promise<OpenLog>): void {
  describe(`change log: ${adapter}`, () => {
    let opened: OpenLog;
    let here: LogThread;
    let there: LogThread;
    let owners = 0;
    const newOwner = (): DiaryOwner => ({ tenant: 'acme', userId: `user-${++owners}` });
    beforeAll(async () => {
      opened = await open();
      ({ here, there } = opened);
    });
    afterAll(() => opened?.close());

    test('it equals a simple log in memory, from any position', async () => {
      const change = fc.record({
        of: fc.constantFrom('a', 'b', ''),
        kind: fc.constantFrom(...KINDS),
        ids: fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5'), { minLength: 1 }),
        isDeleted: fc.boolean(),
        happens: fc.boolean(),
        isThere: fc.boolean(),
      });
      const limits = fc.integer({ min: 1, max: 4 });
      const property = fc.asyncProperty(fc.array(change), limits, async (all, limit) => {
        const tenant = `tenant-${++owners}`;
        const naive = new Map<string, LoggedChange[]>();
        for (const { of, kind, ids, isDeleted, happens, isThere } of all) {
          const owner = { tenant, userId: of };
          await writeChange((isThere ? there : here).writer, { ...owner, kind, ids, isDeleted }, happens);
          if (!happens) continue;
          const logged = naive.get(of) ?? [];
          const before = logged.at(-1)?.seq ?? (await there.log.head(owner)) - ids.length;
          const next = ids.map((id, at) => ({ kind, id, seq: before + at + 1, isDeleted, seenBy: null }));
          const isAgain = (known: LoggedChange) => known.kind === kind && ids.some((id) => id === known.id);
          naive.set(of, [...logged.filter((known) => !isAgain(known)), ...next]);
        }
        for (const [userId, logged] of naive) {
          const owner = { tenant, userId };
          const head = logged.at(-1)!.seq;
          expect(await here.log.head(owner)).toBe(head);
          const { start } = (await sql<{ start: number }>`
            select start from change_heads where tenant_id = ${tenant} and user_id = ${userId}`.first(
            here.db,
          ))!;
          for (let seq = start; seq <= head; seq++) {
            const later = logged.filter((known) => known.seq > seq);
            expect(await follow(there.log, owner, seq, limit)).toEqual(later);
          }
        }
      });
      await fc.assert(property, { numRuns: runs(15) });
    });

    test('a reader during concurrent writes sees every change in order, with its object', async () => {
      const owner = newOwner();
      await here.diary.addEntries(owner, [newEntry()]);
      const begun = await here.log.head(owner);
      let isWriting = true;
      const write = async ({ diary }: LogThread, writer: number) => {
        const written = newEntry();
        await diary.addEntries(owner, [written]);
        for (let version = 2; version < 6; version++)
          await diary.replaceEntry(owner, { ...written, note: `${writer}`, version });
        if (writer % 2 === 0) await diary.removeEntry(owner, written.id);
        return written.id;
      };
      const writing = Promise.all(
        Array.from({ length: 16 }, (_, at) => write(at % 4 < 2 ? here : there, at)),
      ).finally(() => {
        isWriting = false;
      });
      const seen = new Map<string, LoggedChange>();
      for (let [seq, isLast] = [begun, false]; !isLast; ) {
        isLast = !isWriting;
        await nextTurn();
        const page = (await there.log.since(owner, seq, 5))!;
        for (const change of page.changes) {
          expect(change.seq).toBeGreaterThan(seq);
          seq = change.seq;
          seen.set(change.id, change);
          const found = await there.diary.findEntry(owner, change.id);
          if (change.isDeleted) expect(found).toBeUndefined();
        }
        isLast &&= page.changes.length === 0;
      }
      const ids = await writing;
      const logged = await follow(here.log, owner, begun, 1_000);
      expect([...seen.values()].sort((a, b) => a.seq - b.seq)).toEqual(logged);
      expect(logged.map(({ id, isDeleted }) => [id, isDeleted]).sort()).toEqual(
        ids.map((id, at) => [id, at % 2 === 0]).sort(),
      );
      // 16 entries, added and replaced four times, half of them removed.
      expect((await here.log.head(owner)) - begun).toBe(16 * 5 + 8);
    });

    test('entries, recipes and goals are logged, each with its newest number', async () => {
      const { diary, log } = here;
      const owner = newOwner();
      const [first, second] = [newEntry(), newEntry()];
      const recipe = newRecipe();
      const goals = { from: ALWAYS, amounts: { calories: toThousandths(2000) } };
      await diary.addEntries(owner, [first, second]);
      const before = (await log.head(owner)) - 2;
      await diary.recipes.add(owner, [recipe]);
      await diary.goals.put(owner, goals, { replaceHistory: false });
      await diary.replaceEntry(owner, { ...first, version: 2 });
      await diary.recipes.replace(owner, { ...recipe, version: 2 });
      await diary.goals.put(owner, goals, { replaceHistory: true });
      await diary.removeEntry(owner, second.id);
      const expected = [
        { kind: 'entry', id: first.id, seq: before + 5, isDeleted: false, seenBy: null },
        { kind: 'recipe', id: recipe.id, seq: before + 6, isDeleted: false, seenBy: null },
        { kind: 'goals', id: 'goals', seq: before + 7, isDeleted: false, seenBy: null },
        { kind: 'entry', id: second.id, seq: before + 8, isDeleted: true, seenBy: null },
      ];
      expect(await follow(log, owner, before, 9)).toEqual(expected);
      await diary.recipes.remove(owner, recipe.id);
      expect(await follow(log, owner, before + 8, 9)).toEqual([
        { kind: 'recipe', id: recipe.id, seq: before + 9, isDeleted: true, seenBy: null },
      ]);
    });

    test('a rejected or ineffective write logs nothing', async () => {
      const { diary, log } = here;
      const owner = newOwner();
      const entry = newEntry();
      await diary.addEntries(owner, [entry]);
      const head = await log.head(owner);
      expect(await diary.replaceEntry(owner, { ...entry, version: 7 })).toBe('conflict');
      expect(await diary.removeEntry(owner, newEntry().id)).toBe('missing');
      expect(await diary.recipes.remove(owner, newRecipe().id)).toBe('missing');
      await expect(diary.addEntries(owner, [entry])).rejects.toThrow();
      const tooMany = Array.from({ length: MAX_DAY_ENTRIES }, () => newEntry());
      await expect(diary.addEntries(owner, tooMany)).rejects.toThrow();
      expect(await log.head(owner)).toBe(head);
      expect(await follow(log, owner, head - 1, 9)).toHaveLength(1);
      const nobody = newOwner();
      await diary.removeEntry(nobody, entry.id);
      expect(await log.head(nobody)).toBe(0);
      expect(await log.since(nobody, 0, 9)).toEqual({ changes: [], next: 0 });
    });

    test('an erased user has no log, and a later user of that name begins above its numbers', async () => {
      const { diary, db } = here;
      const [owner, other] = [newOwner(), newOwner()];
      await diary.addEntries(owner, [newEntry(), newEntry()]);
      await diary.addEntries(other, [newEntry()]);
      const head = await there.log.head(owner);
      await diary.eraseUser(owner);
      for (const table of [sql`changes`, sql`change_heads`])
        expect(
          await sql`select * from ${table} where tenant_id = ${owner.tenant} and user_id = ${owner.userId}`.all(
            db,
          ),
        ).toEqual([]);
      expect(await there.log.head(other)).toBeGreaterThan(0);
      expect(await there.log.since(owner, head, 9)).toBeUndefined();
      const entry = newEntry();
      await diary.addEntries(owner, [entry]);
      const anew = await there.log.head(owner);
      expect(anew).toBeGreaterThan(head);
      expect(await there.log.since(owner, head, 9)).toBeUndefined();
      expect(await follow(there.log, owner, anew - 1, 9)).toEqual([
        { kind: 'entry', id: entry.id, seq: anew, isDeleted: false, seenBy: null },
      ]);
    });

    test('deletions are forgotten after 90 days, and older readers are told so', async () => {
      const { log, db, writer } = here;
      const [owner, other] = [newOwner(), newOwner()];
      const change = { ...owner, kind: 'entry' } as const;
      await writeChange(writer, { ...change, ids: ['stays', 'chosen'], chosenAtMs: 1 });
      await writeChange(writer, { ...change, ids: ['chosen'], isDeleted: true });
      const ids = Array.from({ length: 1_500 }, (_, at) => `${at}`);
      await writeChange(writer, { ...change, ids, isDeleted: true });
      await writeChange(writer, { ...change, ...other, ids: ['other'], isDeleted: true });
      const head = await log.head(owner);
      const sweepAfter = (ms: number) => {
        const nowMs = () => Date.now() + ms;
        const onError = unexpected;
        return new DeletionSweeper({ ...there, nowMs, onError }).sweep();
      };
      await sweepAfter(KEPT_DELETIONS_MS - 60_000);
      expect(await follow(log, owner, head - 1_501, 2_000)).toHaveLength(1_501);
      await sweepAfter(KEPT_DELETIONS_MS + 60_000);
      expect(await log.since(owner, head - 1, 9)).toBeUndefined();
      expect(await log.since(owner, head, 9)).toEqual({ changes: [], next: head });
      const rows = await sql<{ id: string }>`
        select id from changes where tenant_id = ${owner.tenant} and user_id in (${owner.userId}, ${other.userId})
        order by seq`.all(db);
      expect(rows.map(({ id }) => id)).toEqual(['stays', 'chosen']);
    });

    test('a chosen id is not added again after it was deleted, however long ago', async () => {
      const { writer, log } = here;
      const change = { ...newOwner(), kind: 'entry', ids: ['chosen'] } as const;
      await writeChange(writer, { ...change, chosenAtMs: 1 });
      await writeChange(writer, { ...change, isDeleted: true });
      const head = await log.head(change);
      for (const days of [0, 91]) {
        const nowMs = () => Date.now() + days * 86_400_000;
        await new DeletionSweeper({ ...there, nowMs, onError: unexpected }).sweep();
        await expect(writeChange(writer, { ...change, chosenAtMs: 2 })).rejects.toThrow(ConstraintError);
      }
      expect(await log.head(change)).toBe(head);
    });

    test('it says which single user has seen an object', async () => {
      const { writer, log } = here;
      const owner = { tenant: `tenant-${++owners}`, userId: '' };
      const write = (id: string, seenBy?: string) =>
        writeChange(writer, { ...owner, kind: 'food', ids: [id], seenBy });
      await write('ann', 'ann');
      await write('ann', 'ann');
      await write('moved', 'ann');
      await write('moved', 'bob');
      await write('shared');
      await write('no longer', undefined);
      await write('no longer', 'ann');
      await writeChange(writer, { ...owner, kind: 'food', ids: ['ann'], isDeleted: true });
      const logged = await follow(log, owner, 0, 99);
      expect(logged.map(({ id, seenBy }) => [id, seenBy])).toEqual([
        ['moved', null],
        ['shared', null],
        ['no longer', null],
        ['ann', 'ann'],
      ]);
    });
  });
}
