import { ConstraintError } from '@larder/core/errors.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, FAVOURITE, KINDS, MEAL, SETTINGS } from '../../src/diary/records/record-kinds.ts';
import type { UserRecord } from '../../src/diary/records/user-record.ts';
import type { DiaryStore } from '../../src/diary/store/diary-store.ts';
import type { RecordPosition } from '../../src/diary/store/record-store.ts';
import { newRecord } from '../support/diary-entries.ts';
import { runs } from '../support/runs.ts';

/** Contract of the store of records, for any adapter. */
export function recordStoreContract(
  adapter: string,
  open: () => Promise<{ readonly store: DiaryStore; close(): Promise<void> }>,
): void {
  describe(`records: ${adapter}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let users = 0;
    const newOwner = () => ({ tenant: 'recorded', userId: `user-${++users}` });
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    test('lists are in the order of ids, of one kind and of all, in pages, with unchanged bodies', async () => {
      const record = fc.record({
        kind: fc.constantFrom(...KINDS),
        id: fc.stringMatching(/^[0-9A-Za-z-]{1,36}$/),
        note: fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed()),
      });
      const distinct = fc.uniqueArray(record, { selector: ({ kind, id }) => `${kind.name} ${id}` });
      const limits = fc.integer({ min: 1, max: 4 });
      await fc.assert(
        fc.asyncProperty(distinct, limits, async (all, limit) => {
          const { records } = opened.store;
          const owner = newOwner();
          const written = all
            .filter(({ kind }, at) => kind !== SETTINGS || all.findIndex((each) => each.kind === kind) === at)
            .map(({ kind, id, note }) => ({ kind, record: newRecord({ id, body: { note } }) }));
          for (const each of written) await records.of(each.kind).add(owner, [each.record]);
          const byId = (a: UserRecord, b: UserRecord) => (a.id < b.id ? -1 : 1);
          const expected: { kind: string; record: UserRecord }[] = [];
          for (const kind of KINDS) {
            const own = written.filter((each) => each.kind === kind).map((each) => each.record);
            const listed: UserRecord[] = [];
            for (let isMore = true; isMore; ) {
              const page = await records.of(kind).list(owner, { after: listed.at(-1)?.id ?? '', limit });
              listed.push(...page);
              isMore = page.length === limit;
            }
            expect(listed).toEqual(own.toSorted(byId));
            expected.push(...own.toSorted(byId).map((each) => ({ kind: kind.name, record: each })));
          }
          const listed: { kind: string; record: UserRecord }[] = [];
          for (let isMore = true; isMore; ) {
            const last = listed.at(-1);
            const after: RecordPosition = { kind: last?.kind ?? '', id: last?.record.id ?? '' };
            const page = await records.listAll(owner, after, limit);
            listed.push(...page);
            isMore = page.length === limit;
          }
          expect(listed).toEqual(expected);
        }),
        { numRuns: runs(30) },
      );
    });

    test('a record is changed and removed by version, under its kind and owner only', async () => {
      const { records } = opened.store;
      const owner = newOwner();
      const first = newRecord({ body: { name: 'x' } });
      await records.of(MEAL).add(owner, [first]);
      const next = { ...first, body: { name: 'y' }, version: 2 };
      expect(await records.of(FAVOURITE).replace(owner, next)).toBe('missing');
      expect(await records.of(MEAL).replace(newOwner(), next)).toBe('missing');
      expect(await records.of(MEAL).replace(owner, next)).toBe('done');
      expect(await records.of(MEAL).replace(owner, next)).toBe('conflict');
      expect(await records.of(MEAL).find(owner, first.id)).toEqual(next);
      expect(await records.of(MEAL).findAll(owner, [first.id, 'other'])).toEqual([next]);
      expect(await records.of(FAVOURITE).find(owner, first.id)).toBeUndefined();
      expect(await records.of(MEAL).remove(owner, first.id, 1)).toBe('conflict');
      expect(await records.of(MEAL).remove(owner, first.id, 2)).toBe('done');
      expect(await records.of(MEAL).remove(owner, first.id)).toBe('missing');
      expect(await records.of(MEAL).wasDeleted(owner, first.id)).toBe(true);
      expect(await records.of(FAVOURITE).wasDeleted(owner, first.id)).toBe(false);
      const again = records.of(MEAL).add(owner, [first], undefined, Date.now());
      await expect(again).rejects.toBeInstanceOf(ConstraintError);
    });

    test('a record that exists is a conflict, also where a kind is full', async () => {
      const { records } = opened.store;
      const owner = newOwner();
      const one = newRecord({ id: 'settings', body: {} });
      await records.of(SETTINGS).add(owner, [one]);
      await expect(records.of(SETTINGS).add(owner, [one])).rejects.toBeInstanceOf(ConstraintError);
      await expect(records.of(SETTINGS).add(owner, [newRecord({ id: 'other' })])).rejects.toMatchObject({
        code: 'invalid_request',
        details: { max: 1 },
      });
      await records.of(DAY).add(owner, [newRecord({ id: '2026-01-31' }), newRecord({ id: '2026-02-01' })]);
      const range = { after: '', from: '2026-02-01', to: '2026-02-01', limit: 5 };
      expect(await records.of(DAY).list(owner, range)).toMatchObject([{ id: '2026-02-01' }]);
    });

    test('all records of an erased user are gone', async () => {
      const { store } = opened;
      const owner = newOwner();
      const other = newOwner();
      for (const each of [owner, other])
        for (const kind of KINDS) await store.records.of(kind).add(each, [newRecord({ id: 'settings' })]);
      await store.eraseUser(owner);
      const first = { kind: '', id: '' };
      expect(await store.records.listAll(owner, first, 10)).toEqual([]);
      expect(await store.records.listAll(other, first, 10)).toHaveLength(KINDS.length);
    });
  });
}
