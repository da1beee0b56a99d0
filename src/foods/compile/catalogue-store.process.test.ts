import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Origin } from '@larder/core/food.ts';
import { afterEach, expect, test } from 'vitest';
import { catalogueStoreContract } from '../../../test/contract/catalogue-store.ts';
import { writeSegment } from '../../../test/support/compiled-foods.ts';
import { sampleFood } from '../../../test/support/sample-foods.ts';
import { CatalogueStore } from './catalogue-store.ts';

const LEFT = 'segments/20260101-000000000-01-off.segment';
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'larder-store-'));
  folders.push(folder);
  return folder;
}

function catalogueStoreIn(dataDir: string): CatalogueStore {
  let now = Date.UTC(2026, 3, 21);
  return new CatalogueStore({ dataDir, nowMs: () => now++ });
}

catalogueStoreContract('CatalogueStore', async () => {
  const dataDir = newFolder();
  const stamp = { now: Date.UTC(2026, 3, 21) };
  return () => new CatalogueStore({ dataDir, nowMs: () => stamp.now++ });
});

test('the leftovers of a crashed import are removed when the next one begins', async () => {
  const dataDir = newFolder();
  await publish(catalogueStoreIn(dataDir));
  const files = () =>
    readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .filter((file) => !file.includes('import.lock'))
      .toSorted();
  const before = files();
  for (const leftover of ['catalogues/compiled.tmp', 'catalogues/compiled.tmp.merged.tmp', `${LEFT}.tmp`])
    writeFileSync(join(dataDir, leftover), 'half');
  await writeSegment(join(dataDir, LEFT), [sampleFood('off', '1')]);
  await using _workspace = await catalogueStoreIn(dataDir).beginImport();
  expect(files()).toEqual(before);
});

test('imports whose catalogues were lost are kept, and belong to the next one', async () => {
  const dataDir = newFolder();
  await publish(catalogueStoreIn(dataDir));
  rmSync(join(dataDir, 'catalogues'), { recursive: true });
  const kept = readdirSync(join(dataDir, 'segments'));
  {
    await using workspace = await catalogueStoreIn(dataDir).beginImport();
    expect(workspace.segments.map(({ file }) => basename(file))).toEqual(kept);
    await writeSegment(workspace.newSegmentFile('off'), [sampleFood('off', '2')]);
  }
  expect(readdirSync(join(dataDir, 'segments'))).toEqual(kept);
});

test('a damaged catalogue is listed with its problem, and the next import compiles the available segments', async () => {
  const catalogueStore = catalogueStoreIn(newFolder());
  const name = await publish(catalogueStore);
  writeFileSync(catalogueStore.pathOf(name), 'damaged');
  expect(await catalogueStore.list()).toMatchObject([
    { name, inUse: true, problem: expect.stringMatching('is not a catalogue') },
  ]);
  await using workspace = await catalogueStore.beginImport();
  expect(workspace.segments.map(({ origin }) => origin)).toEqual(['off']);
});

test('the next import recompiles a catalogue in use whose file was deleted', async () => {
  const catalogueStore = catalogueStoreIn(newFolder());
  await publish(catalogueStore, 'off');
  const name = await publish(catalogueStore, 'fdc');
  rmSync(catalogueStore.pathOf(name));
  for (const _import of ['one that fails', 'the next']) {
    await using workspace = await catalogueStore.beginImport();
    expect(workspace.segments.map(({ origin }) => origin)).toEqual(['off', 'fdc']);
  }
});

test('a catalogue is in the catalogue store after it was published, also after the clock was set back', async () => {
  const catalogueStore = catalogueStoreIn(newFolder());
  for (const compiledAtMs of [4_000, 5_000, 6_000]) await publish(catalogueStore, 'off', { compiledAtMs });
  const name = await publish(catalogueStore, 'off', { compiledAtMs: 1_000, putInUse: false });
  expect((await catalogueStore.list()).map((listed) => listed.name)).toContain(name);
});

test('an import that was killed keeps no lock', async () => {
  const dataDir = newFolder();
  const catalogueStore = catalogueStoreIn(dataDir);
  const script = `
    const { CatalogueStore } = await import(${JSON.stringify(import.meta.resolve('./catalogue-store.ts'))});
    await new CatalogueStore({ dataDir: ${JSON.stringify(dataDir)}, nowMs: Date.now }).beginImport();
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await expect(catalogueStore.beginImport()).rejects.toThrow(`Another import is running (pid ${child.pid})`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await using workspace = await catalogueStore.beginImport();
  expect(workspace.segments).toEqual([]);
});

test('a data folder that cannot be used is named', async () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  await expect(catalogueStoreIn(file).beginImport()).rejects.toThrow(file);
});

async function publish(
  catalogueStore: CatalogueStore,
  origin: Origin = 'off',
  { compiledAtMs = 0, putInUse = true } = {},
): Promise<string> {
  await using workspace = await catalogueStore.beginImport();
  const segment = workspace.newSegmentFile(origin);
  await writeSegment(segment, [sampleFood(origin, String(compiledAtMs))]);
  const segments = [...workspace.segments.map(({ file }) => file), segment];
  await workspace.compile({ segments, nowMs: () => compiledAtMs });
  return await workspace.complete({ putInUse });
}
