import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoodId } from '@larder/core/food.ts';
import { describe, expect, test } from 'vitest';
import { writeSegment } from '../../test/support/compiled-foods.ts';
import {
  CATALOGUE_OF_BEFORE,
  RECORDS_OF_BEFORE,
  writeDataOfBefore,
} from '../../test/support/files-of-before.ts';
import { sampleFood } from '../../test/support/sample-foods.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { Catalogue } from '../foods/catalogue/catalogue.ts';
import { CATALOGUE_FORMAT_VERSION } from '../foods/catalogue/format.ts';
import { loadCatalogueImage } from '../foods/catalogue/load-catalogue.ts';
import { ensureCatalogue, loadCatalogue, loadFirstCatalogue, openCatalogueStore } from './catalogue-store.ts';

test('a service and a worker that start together in an empty folder create one catalogue', async () => {
  using folder = tempFolder();
  const config = { dataDir: folder.path, diskReserveMb: 0, meaning: 'off' } as const;
  await Promise.all([ensureCatalogue(config), ensureCatalogue(config)]);
  expect(await openCatalogueStore(config).list()).toHaveLength(1);
});

test('foods are found by meaning unless the configuration disables it, when compiling or when loading', async () => {
  const proposed = async (compiled: 'on' | 'off', loaded: 'on' | 'off') => {
    using folder = tempFolder();
    const config = { dataDir: folder.path, diskReserveMb: 0, meaning: compiled };
    await ensureCatalogue(config);
    const store = openCatalogueStore(config);
    const image = await loadCatalogue({ meaning: loaded }, store.pathOf((await store.current())!));
    return Catalogue.open(image).proposals('soda', 3).length;
  };
  expect(await proposed('on', 'on')).toBe(3);
  expect(await proposed('on', 'off')).toBe(0);
  expect(await proposed('off', 'on')).toBe(0);
});

test('a data folder of version 0.1.0 is upgraded by the first start only', async () => {
  using folder = tempFolder();
  const config = { dataDir: folder.path, diskReserveMb: 0, meaning: 'off' } as const;
  writeDataOfBefore(folder.path);
  await ensureCatalogue(config);
  const store = openCatalogueStore(config);
  const name = (await store.current())!;
  expect(name).not.toBe(CATALOGUE_OF_BEFORE);
  expect([...Catalogue.open(await loadCatalogueImage(store.pathOf(name))).records()]).toEqual(
    RECORDS_OF_BEFORE,
  );
  const told: string[] = [];
  await ensureCatalogue(config, { tell: (_, message) => told.push(message) });
  expect([await store.current(), told]).toEqual([name, []]);
});

describe('a catalogue of another format version', () => {
  // A catalogue of an earlier Larder, and one that remains from a later Larder after a downgrade.
  for (const version of [1, CATALOGUE_FORMAT_VERSION + 1]) {
    test(`is recompiled from its imports: version ${version}`, async () => {
      using larder = await dataFolder();
      const old = await larder.import('fdc', '2');
      await larder.setVersion(version);
      const told: string[] = [];
      await Promise.all([
        ensureCatalogue(larder.config, { tell: (_, message) => told.push(message) }),
        ensureCatalogue(larder.config),
      ]);
      const catalogue = await larder.inUse();
      expect(catalogue.info.formatVersion).toBe(CATALOGUE_FORMAT_VERSION);
      expect(['off:1', 'fdc:2'].map((id) => catalogue.findById(id)?.id)).toEqual(['off:1', 'fdc:2']);
      expect(told.join()).toMatch(/compiled again|waiting/);
      // After a downgrade the other version still finds its catalogue.
      expect((await larder.store.list()).map(({ name }) => name)).toContain(old);
    });
  }

  test('remains in use, with its segments, if compiling is aborted; the next start compiles it', async () => {
    using larder = await dataFolder();
    const old = (await larder.store.current())!;
    await larder.setVersion(1);
    const before = await larder.files();
    const stop = new AbortController();
    const tell = (facts: object) => 'phase' in facts && stop.abort(new Error('stopped'));
    await expect(ensureCatalogue(larder.config, { signal: stop.signal, tell })).rejects.toThrow('stopped');
    expect(await larder.files()).toEqual(before);
    expect(await larder.store.current()).toBe(old);
    await ensureCatalogue(larder.config);
    expect((await larder.inUse()).findById('off:1')).toBeDefined();
  });

  test('with some lost imports is compiled from the others, and the lost ones are reported', async () => {
    using larder = await dataFolder();
    const [lost] = await larder.segments();
    await larder.import('fdc', '2');
    await larder.setVersion(1);
    await rm(lost!);
    const told: string[] = [];
    await ensureCatalogue(larder.config, { tell: (facts) => told.push(JSON.stringify(facts)) });
    const catalogue = await larder.inUse();
    expect([catalogue.findById('off:1'), catalogue.findById('fdc:2')?.id]).toEqual([undefined, 'fdc:2']);
    expect(catalogue.info.origins.starter).toBeUndefined();
    expect(told.join()).toContain(`${lost} is missing. Import its source again with --replace.`);
  });

  test('with all imports lost is replaced by the shipped foods', async () => {
    using larder = await dataFolder();
    await larder.setVersion(1);
    for (const file of await larder.segments()) await rm(file);
    await ensureCatalogue(larder.config);
    expect((await larder.inUse()).info.origins.starter?.foods).toBeGreaterThan(1_000);
  });
});

test('a damaged catalogue is not silently compiled again: the disk may be at fault', async () => {
  using larder = await dataFolder();
  const file = larder.store.pathOf((await larder.store.current())!);
  await writeFile(file, 'damaged');
  await expect(ensureCatalogue(larder.config)).rejects.toThrow(/is not a catalogue/);
});

describe('a catalogue in use that cannot be read', () => {
  const heal = async (larder: Awaited<ReturnType<typeof dataFolder>>) => {
    const told: string[] = [];
    const signal = new AbortController().signal;
    const tell = (_: object, message: string) => told.push(message);
    const { name, image } = await loadFirstCatalogue(larder.config, { signal, tell });
    expect(name).toBe(await larder.store.current());
    const catalogue = Catalogue.open(image);
    return { name, told: told.join(), has: (id: string) => catalogue.findById(id as FoodId)?.id === id };
  };
  const damage = async (file: string, at: number) => {
    const bytes = await readFile(file);
    bytes.fill(0xff, at, at === HEADER ? at + 1 : bytes.length / 2);
    await writeFile(file, bytes);
  };
  const HEADER = 20;
  const BODY = 100;

  test.each([HEADER, BODY])(
    'is replaced by an earlier one, damaged from byte %i on; its imports stay',
    async (at) => {
      using larder = await dataFolder();
      const earlier = (await larder.store.current())!;
      await damage(larder.store.pathOf(await larder.import('fdc', '2')), at);
      const healed = await heal(larder);
      expect([healed.name, healed.has('off:1')]).toEqual([earlier, true]);
      expect(healed.told).toContain('an earlier one is used');
      expect(await larder.segments()).toHaveLength(2);
      // The next start finds nothing to do.
      expect((await heal(larder)).told).toBe('');
    },
  );

  test('is compiled again of its imports where no other one is left, or where it is missing', async () => {
    using larder = await dataFolder();
    const first = (await larder.store.current())!;
    await damage(larder.store.pathOf(first), BODY);
    const healed = await heal(larder);
    expect([healed.has('off:1'), healed.name === first]).toEqual([true, false]);
    expect(healed.told).toContain('its imports are compiled again');
    await rm(larder.store.pathOf(await larder.import('fdc', '2')));
    const again = await heal(larder);
    expect([again.has('off:1'), again.has('fdc:2')]).toEqual([true, true]);
  });

  test.each([
    ['missing', ''],
    ['damaged', '\0catalogue'],
  ])('whose name is %s is the newest one, or compiled of all imports', async (_, text) => {
    using larder = await dataFolder();
    const newest = await larder.import('fdc', '2');
    const pointer = join(larder.config.dataDir, 'catalogues', 'current');
    await writeFile(pointer, text);
    const healed = await heal(larder);
    expect([healed.name, healed.has('fdc:2')]).toEqual([newest, true]);
    expect(healed.told).toContain('the newest one is used');
    await rm(join(larder.config.dataDir, 'catalogues'), { recursive: true });
    const again = await heal(larder);
    expect([again.has('off:1'), again.has('fdc:2')]).toEqual([true, true]);
  });

  test('is replaced by the foods that ship where nothing is left', async () => {
    using larder = await dataFolder();
    await damage(larder.store.pathOf((await larder.store.current())!), BODY);
    for (const segment of await larder.segments()) await rm(segment);
    expect((await heal(larder)).told).toContain('the foods that ship are used');
    expect((await larder.inUse()).info.foods).toBeGreaterThan(100);
  });
});

/** A data folder with one import of one food. */
async function dataFolder() {
  const folder = tempFolder();
  const config = { dataDir: folder.path, diskReserveMb: 0, meaning: 'off' } as const;
  const store = openCatalogueStore(config);
  let compiledAt = Date.UTC(2026, 3, 21);
  const larder = {
    config,
    store,
    async import(origin: 'off' | 'fdc', key: string): Promise<string> {
      await using workspace = await store.beginImport();
      const segment = workspace.newSegmentFile(origin);
      await writeSegment(segment, [sampleFood(origin, key)]);
      const segments = [...workspace.segments.map(({ file }) => file), segment];
      const nowMs = () => (compiledAt += 1_000);
      await workspace.compile({ segments, nowMs });
      return await workspace.complete();
    },
    /** Changes the version of the catalogue in use. Its checksums remain valid, because they exclude the version. */
    async setVersion(version: number): Promise<void> {
      const file = store.pathOf((await store.current())!);
      const bytes = await readFile(file);
      bytes.writeUInt32LE(version, 8);
      await writeFile(file, bytes);
    },
    segments: async () =>
      (await readdir(join(folder.path, 'segments'))).map((name) => join(folder.path, 'segments', name)),
    files: async () => (await readdir(folder.path, { recursive: true })).toSorted(),
    inUse: async () => Catalogue.open(await loadCatalogueImage(store.pathOf((await store.current())!))),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
  await larder.import('off', '1');
  return larder;
}
