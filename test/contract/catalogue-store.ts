import { existsSync } from 'node:fs';
import { OperatorError } from '@larder/core/errors.ts';
import type { Origin } from '@larder/core/food.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import type { CatalogueStore } from '../../src/foods/compile/catalogue-store.ts';
import type { CompleteOptions, ImportWorkspace } from '../../src/foods/compile/import-workspace.ts';
import { writeSegment } from '../support/compiled-foods.ts';
import { sampleFood } from '../support/sample-foods.ts';

/**
 * Contract of catalogue stores. `open` returns views of one empty catalogue store, as several processes would
 * have them.
 */
export function catalogueStoreContract(name: string, open: () => Promise<() => CatalogueStore>): void {
  describe(`${name} keeps the guarantees of a catalogue store`, () => {
    let view: () => CatalogueStore;
    let catalogueStore: CatalogueStore;
    beforeEach(async () => {
      view = await open();
      catalogueStore = view();
    });

    test('an empty catalogue store has no active catalogue', async () => {
      expect(await catalogueStore.list()).toEqual([]);
      expect(await catalogueStore.current()).toBeUndefined();
      await expect(catalogueStore.use('none')).rejects.toThrow(OperatorError);
      await expect(catalogueStore.use('../none')).rejects.toThrow(OperatorError);
    });

    test('a published import is active at once for all readers', async () => {
      const published = await runImport(catalogueStore, 'off', '1');
      expect(await view().current()).toBe(published);
      expect(await view().list()).toMatchObject([{ name: published, inUse: true, info: { foods: 1 } }]);
      const catalogue = Catalogue.open(await loadCatalogueImage(catalogueStore.pathOf(published)));
      expect(catalogue.findById('off:1')).toBeDefined();
    });

    test('an import adds to the segments of the active catalogue', async () => {
      const first = await runImport(catalogueStore, 'off', '1');
      await runImport(catalogueStore, 'fdc', '2');
      await catalogueStore.use(first);
      const third = await runImport(catalogueStore, 'ciqual', '3');
      const catalogue = Catalogue.open(await loadCatalogueImage(catalogueStore.pathOf(third)));
      expect(catalogue.info.segments.map(({ origin }) => origin)).toEqual(['off', 'ciqual']);
      expect(catalogue.findById('off:1')).toBeDefined();
      expect(catalogue.findById('fdc:2')).toBeUndefined();
    });

    test('an unpublished import leaves no files', async () => {
      const published = await runImport(catalogueStore, 'off', '1');
      let segment = '';
      {
        await using workspace = await catalogueStore.beginImport();
        segment = workspace.newSegmentFile('fdc');
        await compileInto(workspace, segment, 'fdc', '2');
      }
      expect(existsSync(segment)).toBe(false);
      expect(await catalogueStore.current()).toBe(published);
      expect(await catalogueStore.list()).toHaveLength(1);
      {
        await using workspace = await catalogueStore.beginImport();
        expect(workspace.segments.map(({ origin }) => origin)).toEqual(['off']);
        expect(existsSync(workspace.catalogueFile)).toBe(false);
      }
    });

    test('a second import and a switch of catalogues are rejected during an import', async () => {
      const published = await runImport(catalogueStore, 'off', '1');
      {
        await using _workspace = await catalogueStore.beginImport();
        const running = new RegExp(`Another import is running \\(pid ${process.pid}\\)`);
        await expect(view().beginImport()).rejects.toThrow(running);
        await expect(view().use(published)).rejects.toThrow(running);
      }
      await (await catalogueStore.beginImport())[Symbol.asyncDispose]();
    });

    test('the newest catalogues and the active one are kept with their segments', async () => {
      const oldest = await runImport(catalogueStore, 'off', '1');
      const names = [];
      for (const key of ['2', '3', '4', '5']) names.push(await runImport(catalogueStore, 'fdc', key));
      expect((await catalogueStore.list()).map(({ name }) => name)).toEqual(names.slice(1).toReversed());
      await catalogueStore.use(names[1]!);
      expect(await catalogueStore.list()).not.toContainEqual(expect.objectContaining({ name: oldest }));
      {
        await using workspace = await catalogueStore.beginImport();
        expect(workspace.segments).toHaveLength(3);
        for (const { file } of workspace.segments) expect(existsSync(file)).toBe(true);
      }
      const aside = [];
      for (const key of ['6', '7', '8'])
        aside.push(await runImport(catalogueStore, 'fdc', key, { putInUse: false }));
      expect((await catalogueStore.list()).map(({ name }) => name)).toEqual([
        ...aside.toReversed(),
        names[1],
      ]);
    });

    test('a watcher is notified of a new active catalogue, whoever activated it', async () => {
      const first = await runImport(catalogueStore, 'off', '1');
      const heard = Promise.withResolvers<string>();
      const watch = catalogueStore.watch(first, (name) => heard.resolve(name));
      const second = await runImport(view(), 'fdc', '2');
      expect(await heard.promise).toBe(second);
      watch.close();
      expect(second).not.toBe(first);
    });

    test('a watcher is notified of a catalogue activated before it started', async () => {
      const first = await runImport(catalogueStore, 'off', '1');
      const second = await runImport(view(), 'fdc', '2');
      const heard = Promise.withResolvers<string>();
      const watch = catalogueStore.watch(first, (name) => heard.resolve(name));
      expect(await heard.promise).toBe(second);
      watch.close();
    });
  });
}

async function runImport(
  catalogueStore: CatalogueStore,
  origin: Origin,
  key: string,
  options: CompleteOptions = {},
): Promise<string> {
  await using workspace = await catalogueStore.beginImport();
  await compileInto(workspace, workspace.newSegmentFile(origin), origin, key);
  return await workspace.complete(options);
}

let compiledAt = Date.UTC(2026, 3, 21);

async function compileInto(
  workspace: ImportWorkspace,
  segment: string,
  origin: Origin,
  key: string,
): Promise<void> {
  await writeSegment(segment, [sampleFood(origin, key)]);
  compiledAt += 1_000;
  const segments = [...workspace.segments.map(({ file }) => file), segment];
  await workspace.compile({ segments, nowMs: () => compiledAt });
}
