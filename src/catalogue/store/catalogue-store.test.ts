import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { catalogueShelfContract } from '../../../test/contract/catalogue-store.ts';
import { writeSegment } from '../../../test/support/compiled-foods.ts';
import { sampleFood } from '../../../test/support/sample-foods.ts';
import { compileCatalogue } from '../compile/compile.ts';
import type { Origin } from '../food/food.ts';
import { FolderCatalogueShelf } from './catalogue-store.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'larder-shelf-'));
  folders.push(folder);
  return folder;
}

function shelfIn(dataDir: string): FolderCatalogueShelf {
  let now = Date.UTC(2026, 3, 21);
  return new FolderCatalogueShelf({ dataDir, nowMs: () => now++ });
}

catalogueShelfContract('FolderCatalogueShelf', async () => {
  const dataDir = newFolder();
  const stamp = { now: Date.UTC(2026, 3, 21) };
  return () => new FolderCatalogueShelf({ dataDir, nowMs: () => stamp.now++ });
});

test('what a crashed import left behind is gone after the next begins', async () => {
  const dataDir = newFolder();
  for (const folder of ['catalogues', 'segments']) mkdirSync(join(dataDir, folder));
  writeFileSync(join(dataDir, 'catalogues', 'compiled.tmp'), 'half');
  writeFileSync(join(dataDir, 'catalogues', 'compiled.tmp.merged.tmp'), 'half');
  writeFileSync(join(dataDir, 'segments', '20260101-000000000-01-off.segment.tmp'), 'half');
  await writeSegment(join(dataDir, 'segments', '20260101-000000000-01-off.segment'), [
    sampleFood('off', '1'),
  ]);
  await using _workspace = await shelfIn(dataDir).beginImport();
  expect(readdirSync(join(dataDir, 'segments'))).toEqual([]);
  expect(readdirSync(join(dataDir, 'catalogues')).filter((file) => !file.startsWith('import.lock'))).toEqual(
    [],
  );
});

test('a damaged catalogue is listed with its problem, and the next import compiles what is at hand', async () => {
  const shelf = shelfIn(newFolder());
  const name = await publish(shelf);
  writeFileSync(shelf.pathOf(name), 'damaged');
  expect(await shelf.list()).toMatchObject([
    { name, inUse: true, problem: expect.stringMatching('is not a catalogue') },
  ]);
  await using workspace = await shelf.beginImport();
  expect(workspace.segments.map(({ origin }) => origin)).toEqual(['off']);
});

test('of a catalogue in use whose file was deleted, the next import compiles what it was compiled from', async () => {
  const shelf = shelfIn(newFolder());
  await publish(shelf, 'off');
  const name = await publish(shelf, 'fdc');
  rmSync(shelf.pathOf(name));
  for (const _import of ['one that fails', 'the next']) {
    await using workspace = await shelf.beginImport();
    expect(workspace.segments.map(({ origin }) => origin)).toEqual(['off', 'fdc']);
  }
});

test('a catalogue is on the shelf when it was published, also after the clock was set back', async () => {
  const shelf = shelfIn(newFolder());
  for (const compiledAtMs of [4_000, 5_000, 6_000]) await publish(shelf, 'off', { compiledAtMs });
  const name = await publish(shelf, 'off', { compiledAtMs: 1_000, putInUse: false });
  expect((await shelf.list()).map((shelved) => shelved.name)).toContain(name);
});

test('an import that was killed keeps no lock', async () => {
  const dataDir = newFolder();
  const shelf = shelfIn(dataDir);
  const script = `
    const { FolderCatalogueShelf } = await import(${JSON.stringify(import.meta.resolve('./catalogue-store.ts'))});
    await new FolderCatalogueShelf({ dataDir: ${JSON.stringify(dataDir)}, nowMs: Date.now }).beginImport();
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await expect(shelf.beginImport()).rejects.toThrow(`Another import is running (pid ${child.pid})`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await using workspace = await shelf.beginImport();
  expect(workspace.segments).toEqual([]);
});

test('a data folder that cannot be used is named', async () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  await expect(shelfIn(file).beginImport()).rejects.toThrow(file);
});

async function publish(
  shelf: FolderCatalogueShelf,
  origin: Origin = 'off',
  { compiledAtMs = 0, putInUse = true } = {},
): Promise<string> {
  await using workspace = await shelf.beginImport();
  const segment = workspace.newSegmentFile(origin);
  await writeSegment(segment, [sampleFood(origin, String(compiledAtMs))]);
  const segments = [...workspace.segments.map(({ file }) => file), segment];
  await compileCatalogue({ segments, out: workspace.catalogueFile, nowMs: () => compiledAtMs });
  return await workspace.publish({ putInUse });
}
