import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIds } from '../../src/base/time-ordered-id.ts';
import type { Day } from '../../src/diary/records/day.ts';
import type { DiaryOwner } from '../../src/diary/records/entry.ts';
import type { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { type KeptPhoto, PHOTO_LIMITS } from '../../src/diary/store/remembered-photo-store.ts';
import { newEntry } from '../support/diary-entries.ts';

const DATE = '2026-11-12' as Day;

/** Contract of the store of what is kept of photos, for any adapter. */
export function photoStoreContract(
  adapter: string,
  open: () => Promise<{ readonly store: DiaryStore; close(): Promise<void> }>,
): void {
  describe(`remembered photos: ${adapter}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let users = 0;
    let atMs = Date.UTC(2026, 10, 12);
    const newOwner = () => ({ tenant: 'remembered', userId: `user-${++users}` });
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    /** An entry of this food with a photo, newer than all before. */
    const keep = async (owner: DiaryOwner, foodId: string, network = 'net 1'): Promise<KeptPhoto> => {
      const id = createIds(1, atMs++, randomBytes)[0]!;
      const photo = { id, foodId, date: DATE, network, vector: randomBytes(128) };
      await opened.store.addEntries(owner, [newEntry({ id, date: DATE })], undefined, undefined, photo);
      return photo;
    };
    const latest = async (owner: DiaryOwner, limit = 100) =>
      (await opened.store.photos.listLatest(owner, limit)).map((photo) => ({
        ...photo,
        vector: Buffer.from(photo.vector),
      }));

    test('they are read as they were kept, the newest first, of one owner', async () => {
      const [owner, other] = [newOwner(), newOwner()];
      const kept = [
        await keep(owner, 'manual:1'),
        await keep(owner, 'recipe:2'),
        await keep(owner, 'manual:1'),
      ];
      await keep(other, 'manual:1');
      expect(await latest(owner)).toEqual(kept.toReversed());
      expect(await latest(owner, 1)).toEqual([kept[2]]);
      const ids = async (after: string, limit: number) =>
        (await opened.store.photos.list(owner, { after, limit })).map(({ id }) => id);
      expect(await ids('', 2)).toEqual([kept[0]!.id, kept[1]!.id]);
      expect(await ids(kept[1]!.id, 2)).toEqual([kept[2]!.id]);
    });

    test('the newest five of a food stay, and all of the others', async () => {
      const owner = newOwner();
      const other = await keep(owner, 'manual:other');
      const kept: KeptPhoto[] = [];
      for (let count = 0; count < PHOTO_LIMITS.ofFood + 3; count++) kept.push(await keep(owner, 'manual:1'));
      expect(await latest(owner)).toEqual([...kept.slice(-PHOTO_LIMITS.ofFood).toReversed(), other]);
    });

    test('one goes with its entry, and all go with their user', async () => {
      const owner = newOwner();
      const [first, second] = [await keep(owner, 'manual:1'), await keep(owner, 'manual:2')];
      expect(await opened.store.removeEntry(owner, first.id, 7)).toBe('conflict');
      expect(await latest(owner)).toEqual([second, first]);
      expect(await opened.store.removeEntry(owner, first.id)).toBe('done');
      expect(await latest(owner)).toEqual([second]);
      await opened.store.eraseUser(owner);
      expect(await latest(owner)).toEqual([]);
    });

    test('those of another network are dropped, of one owner', async () => {
      const [owner, other] = [newOwner(), newOwner()];
      await keep(owner, 'manual:1', 'net 1');
      const newer = await keep(owner, 'manual:1', 'net 2');
      const unaffected = await keep(other, 'manual:1', 'net 1');
      await opened.store.photos.dropOthers(owner, 'net 2');
      expect(await latest(owner)).toEqual([newer]);
      expect(await latest(other)).toEqual([unaffected]);
    });

    test('an entry that is refused keeps nothing', async () => {
      const owner = newOwner();
      const photo = await keep(owner, 'manual:1');
      const again = { ...photo, foodId: 'manual:2' };
      const entry = newEntry({ id: photo.id, date: DATE });
      await expect(opened.store.addEntries(owner, [entry], undefined, undefined, again)).rejects.toThrow();
      expect(await latest(owner)).toEqual([photo]);
    });

    test('the oldest goes when a user has as many as allowed', async () => {
      const owner = newOwner();
      const oldest = await keep(owner, 'manual:oldest');
      for (let count = 1; count < PHOTO_LIMITS.ofUser; count += 250)
        await Promise.all(
          Array.from({ length: Math.min(250, PHOTO_LIMITS.ofUser - count) }, (_, at) =>
            keep(owner, `manual:${count + at}`),
          ),
        );
      const full = await latest(owner, PHOTO_LIMITS.ofUser + 1);
      expect(full).toHaveLength(PHOTO_LIMITS.ofUser);
      expect(full.at(-1)).toEqual(oldest);
      const newest = await keep(owner, 'manual:newest');
      const after = await latest(owner, PHOTO_LIMITS.ofUser + 1);
      expect(after).toHaveLength(PHOTO_LIMITS.ofUser);
      expect(after[0]).toEqual(newest);
      expect(after.map(({ foodId }) => foodId)).not.toContain('manual:oldest');
    });
  });
}
