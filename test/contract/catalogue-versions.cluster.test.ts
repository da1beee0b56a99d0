import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import type { CatalogueVersion } from '../../src/foods/published/catalogue-versions.ts';
import { CatalogueVersions } from '../../src/foods/published/catalogue-versions.ts';
import { hasPgbouncer, hasPostgres, openPooledTwice, openPostgresTwice } from '../support/postgres.ts';

const open = (database: SqlDatabase) => ({
  versions: new CatalogueVersions({ ...database, nowMs: () => 1 }),
  clear: () => sql`truncate catalogue_versions, catalogue_activations`.all(database.db),
});

let published = 0;
function version(name: string): CatalogueVersion {
  const hash = 'ab'.repeat(32);
  const facts = { formatVersion: 3, foods: 5_000_000_000, bytes: 5_000_000_000, compiledAtMs: 7 };
  return { ...facts, name, publishedAtMs: ++published, partBytes: 4 << 20, parts: [hash, hash] };
}

/** Contract of the published catalogues of a cluster. */
function catalogueVersionsContract(
  name: string,
  openTwice: () => ReturnType<typeof openPostgresTwice<ReturnType<typeof open>>>,
): void {
  describe(`${name} keeps the guarantees of published catalogues`, () => {
    let opened: Awaited<ReturnType<typeof openTwice>>;
    let store: CatalogueVersions;
    /** The catalogues as another node sees them. */
    let other: CatalogueVersions;
    beforeAll(async () => {
      opened = await openTwice();
      [store, other] = [opened.store.versions, opened.other.versions];
    });
    beforeEach(() => opened.store.clear());
    afterAll(() => opened.close());

    const add = async (...names: string[]) => {
      for (const name of names) expect(await store.add(version(name))).toBe(true);
    };
    const names = async () => (await other.list()).map(({ name }) => name);

    test('nothing is published or active at first', async () => {
      expect([await store.list(), await store.find('a'), await store.findActive()]).toEqual([
        [],
        undefined,
        undefined,
      ]);
      expect([await store.rollBack(), await store.removeOld(0)]).toEqual([undefined, []]);
    });

    test('an added version is visible to all nodes unchanged, and never changes', async () => {
      const first = version('a');
      expect(await store.add(first)).toBe(true);
      expect(await other.find('a')).toEqual(first);
      expect(await other.add({ ...version('a'), foods: 1 })).toBe(false);
      expect(await store.find('a')).toEqual(first);
      await add('b');
      const { parts: _parts, partBytes: _partBytes, ...facts } = first;
      expect(await names()).toEqual(['b', 'a']);
      expect((await other.list())[1]).toEqual({ ...facts, isActive: false });
    });

    test('one version is active for all nodes, and each activation has its own number', async () => {
      await add('a', 'b');
      expect(await store.activate('a')).toEqual({ number: 1, name: 'a' });
      expect(await other.findActive()).toEqual({ number: 1, name: 'a' });
      expect(await other.activate('b')).toEqual({ number: 2, name: 'b' });
      expect(await store.activate('b')).toEqual({ number: 2, name: 'b' });
      expect(await store.activate('unknown')).toBeUndefined();
      expect(await store.findActive()).toEqual({ number: 2, name: 'b' });
      expect((await store.list()).map(({ isActive }) => isActive)).toEqual([true, false]);
    });

    test('repeated roll-backs go back one by one, skipping versions that were rolled back', async () => {
      await add('a', 'b', 'c');
      for (const name of ['a', 'b']) await store.activate(name);
      expect(await store.rollBack()).toEqual({ number: 3, name: 'a' });
      expect(await other.rollBack()).toBeUndefined();
      await store.activate('c');
      expect(await other.rollBack()).toEqual({ number: 5, name: 'a' });
      expect(await store.findActive()).toEqual({ number: 5, name: 'a' });
    });

    test('concurrent changes run in sequence', async () => {
      await add('a', 'b', 'c');
      const nodes = [store, other];
      const activations = await Promise.all(
        Array.from({ length: 30 }, (_, at) => nodes[at % 2]!.activate('abc'[at % 3]!)),
      );
      const byNumber = new Map<number, string>();
      for (const activation of activations) {
        const { number, name } = activation!;
        expect(byNumber.get(number) ?? name).toBe(name);
        byNumber.set(number, name);
      }
      expect([...byNumber.keys()].toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: byNumber.size }, (_, at) => at + 1),
      );
      expect(await store.findActive()).toEqual({
        number: byNumber.size,
        name: byNumber.get(byNumber.size),
      });
      const before = byNumber.get(byNumber.size - 1);
      const [first, second] = await Promise.all([store.rollBack(), other.rollBack()]);
      expect([first!.number, second!.number].toSorted()).toEqual([byNumber.size + 1, byNumber.size + 2]);
      expect([first!.name, second!.name]).toContain(before);
    });

    test('old versions are removed, except the active one and the target of a roll-back', async () => {
      await add('a', 'b', 'c', 'd', 'e', 'f');
      for (const name of ['c', 'b', 'a']) await store.activate(name);
      expect((await other.removeOld(2)).toSorted()).toEqual(['c', 'd']);
      expect(await names()).toEqual(['f', 'e', 'b', 'a']);
      expect(await store.rollBack()).toMatchObject({ name: 'b' });
      // Only removed versions were active before that one.
      expect(await store.rollBack()).toBeUndefined();
      expect(await store.activate('c')).toBeUndefined();
    });

    test('a roll-back skips removed versions', async () => {
      await add('a', 'b', 'c', 'd');
      for (const name of ['a', 'b', 'c']) await store.activate(name);
      await add('e');
      await store.activate('a');
      await store.activate('d');
      // d is active, a would be restored; b and c were removed.
      await store.removeOld(1);
      expect(await names()).toEqual(['e', 'd', 'a']);
      expect(await store.rollBack()).toEqual({ number: 6, name: 'a' });
      expect(await store.rollBack()).toBeUndefined();
    });
  });
}

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  catalogueVersionsContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  catalogueVersionsContract('PostgreSQL behind pgbouncer', () => openPooledTwice(open));
});
