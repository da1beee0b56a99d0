import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ObjectStore } from '../../src/blobs/object-store.ts';
import { sql } from '../../src/db/sql.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import type { CatalogueInfo } from '../../src/foods/catalogue/catalogue-info.ts';
import { CATALOGUE_FORMAT_VERSION } from '../../src/foods/catalogue/format.ts';
import { listParts, versionOf } from '../../src/foods/published/catalogue-parts.ts';
import { CatalogueVersions } from '../../src/foods/published/catalogue-versions.ts';
import { fetchCatalogue } from '../../src/foods/published/fetch-catalogue.ts';
import { type PublishRequest, publishCatalogue } from '../../src/foods/published/publish-catalogue.ts';
import { removeOldVersions } from '../../src/foods/published/remove-old-versions.ts';
import { openFolderObjects } from '../support/folder-objects.ts';
import { hasPostgres, openPostgresTwice } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PART_BYTES = 10_000;
const HOUR_MS = 3_600_000;
const NEVER = new AbortController().signal;
const open = (database: SqlDatabase) => ({
  versions: new CatalogueVersions({ ...database, nowMs: Date.now }),
  clear: () => sql`truncate catalogue_versions, catalogue_activations`.all(database.db),
});

describe.skipIf(!hasPostgres)('publishing a catalogue', () => {
  let database: Awaited<ReturnType<typeof openPostgresTwice<ReturnType<typeof open>>>>;
  let versions: CatalogueVersions;
  let folder: string;
  let objects: ObjectStore;
  beforeAll(async () => {
    database = await openPostgresTwice(open);
    ({ versions } = database.store);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    const temp = tempFolder();
    folder = temp.path;
    objects = await openFolderObjects(folder);
    await database.store.clear();
    return () => temp[Symbol.dispose]();
  });

  let made = 0;
  /** A file of a little more than three parts, with any content. */
  function makeCatalogue(): { readonly file: string; readonly info: CatalogueInfo; readonly name: string } {
    const checksum = String(++made).padStart(8, '0');
    const file = join(folder, checksum);
    writeFileSync(file, randomBytes(3 * PART_BYTES + 7));
    const info = {
      formatVersion: CATALOGUE_FORMAT_VERSION,
      createdAt: Date.UTC(2026, 3, 21),
      foods: 9,
      knownProducts: 0,
      origins: {},
      segments: [],
      bytes: 3 * PART_BYTES + 7,
      checksum,
    };
    return { file, info, name: `20260421-000000-${checksum}` };
  }

  const publish = (request: Pick<PublishRequest, 'file' | 'info'> & Partial<PublishRequest>) =>
    publishCatalogue({
      objects,
      versions,
      sendAll: false,
      nowMs: Date.now,
      pause: async () => {},
      onProgress: () => {},
      partBytes: PART_BYTES,
      ...request,
    });

  /** A store that accepts this many parts before an outage. */
  function failingAfter(parts: number): Pick<ObjectStore, 'put' | 'list'> {
    let left = parts;
    return {
      list: (page) => objects.list(page),
      put(object) {
        if (left-- <= 0) return Promise.reject(new Error('503 SlowDown'));
        return objects.put(object);
      },
    };
  }

  async function fetched(name: string): Promise<Buffer> {
    const version = (await versions.find(name))!;
    const file = join(folder, 'copy');
    await fetchCatalogue({ version, file, objects, disk: { hasRoom: async () => true }, signal: NEVER });
    return readFileSync(file);
  }

  test('a published catalogue can be fetched by its version', async () => {
    const { file, info, name } = makeCatalogue();
    const progress: number[] = [];
    const { version, sentParts } = await publish({ file, info, onProgress: (done) => progress.push(done) });
    expect(sentParts).toBe(4);
    expect(version).toMatchObject({
      name,
      formatVersion: CATALOGUE_FORMAT_VERSION,
      foods: 9,
      bytes: info.bytes,
    });
    expect(await versions.find(name)).toEqual(version);
    expect(progress).toHaveLength(4);
    expect(progress.at(-1)).toBe(info.bytes);
    expect((await fetched(name)).equals(readFileSync(file))).toBe(true);
  });

  test('an interrupted publication is invisible, and the next attempt sends the rest', async () => {
    const { file, info, name } = makeCatalogue();
    await expect(publish({ file, info, objects: failingAfter(3) })).rejects.toThrow(
      'The object store does not accept the catalogue: 503 SlowDown. Nothing is published',
    );
    expect([await versions.list(), await versions.activate(name)]).toEqual([[], undefined]);
    expect(await publish({ file, info })).toMatchObject({ sentParts: 1 });
    expect((await fetched(name)).equals(readFileSync(file))).toBe(true);
  });

  test('a request to a briefly failing store is repeated', async () => {
    const { file, info } = makeCatalogue();
    let failures = 2;
    const put: ObjectStore['put'] = (object) =>
      failures-- > 0 ? Promise.reject(new Error('503 SlowDown')) : objects.put(object);
    const list: ObjectStore['list'] = (page) => objects.list(page);
    expect(await publish({ file, info, objects: { put, list } })).toMatchObject({ sentParts: 4 });
  });

  test('parts that may be removed before the end are sent again', async () => {
    const { file, info } = makeCatalogue();
    await expect(publish({ file, info, objects: failingAfter(2) })).rejects.toThrow();
    const nowMs = () => Date.now() + 13 * HOUR_MS;
    expect(await publish({ file, info, nowMs })).toMatchObject({ sentParts: 4 });
  });

  test('publishing again sends missing parts, or all, and keeps the version', async () => {
    const { file, info, name } = makeCatalogue();
    const { version } = await publish({ file, info });
    const [gone] = await listParts(objects, name);
    await objects.delete(gone!.key);
    const later = { file, info, nowMs: () => Date.now() + 100 * HOUR_MS };
    expect(await publish(later)).toEqual({ version, sentParts: 1 });
    expect(await publish(later)).toEqual({ version, sentParts: 0 });
    expect(await publish({ ...later, sendAll: true })).toEqual({ version, sentParts: 4 });
    expect(await versions.list()).toHaveLength(1);
  });

  test('two concurrent publications succeed and create one version', async () => {
    const { file, info, name } = makeCatalogue();
    const [one, two] = await Promise.all([publish({ file, info }), publish({ file, info })]);
    expect(one.version.parts).toEqual(two.version.parts);
    expect(await versions.list()).toHaveLength(1);
    expect((await fetched(name)).equals(readFileSync(file))).toBe(true);
  });

  test('a different file cannot be published under an existing name', async () => {
    const { file, info, name } = makeCatalogue();
    const { version } = await publish({ file, info });
    writeFileSync(file, randomBytes(info.bytes));
    await expect(publish({ file, info })).rejects.toThrow(`Another catalogue was published as ${name}`);
    expect(await versions.find(name)).toEqual(version);
  });

  test('a catalogue that is too large is rejected before anything is sent', async () => {
    const { file, info } = makeCatalogue();
    const large = { ...info, bytes: 2 ** 40 };
    await expect(publish({ file, info: large })).rejects.toThrow(/can be published/);
    expect(await listParts(objects)).toEqual([]);
  });

  test('parts are removed with their version, and those of interrupted uploads after a day', async () => {
    const names: string[] = [];
    for (let at = 0; at < 7; at++) {
      const { file, info, name } = makeCatalogue();
      await publish({ file, info, nowMs: () => at });
      names.push(name);
      if (at === 0) await versions.activate(name);
    }
    const half = makeCatalogue();
    await expect(publish({ ...half, objects: failingAfter(2) })).rejects.toThrow();
    const remove = (nowMs: () => number) => removeOldVersions({ versions, objects, nowMs });
    const inStore = async () => [...new Set((await listParts(objects)).map(({ key }) => versionOf(key)))];

    // The first published one is active.
    const kept = names.toSpliced(1, 1);
    expect(await remove(Date.now)).toEqual([names[1]]);
    expect((await inStore()).toSorted()).toEqual([...kept, half.name].toSorted());
    expect(await remove(() => Date.now() + 25 * HOUR_MS)).toEqual([]);
    expect((await inStore()).toSorted()).toEqual(kept.toSorted());
    expect((await versions.list()).map(({ name }) => name).toSorted()).toEqual(kept.toSorted());
  });
});
