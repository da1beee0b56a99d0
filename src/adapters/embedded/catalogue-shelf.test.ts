import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { describeCatalogueShelf } from '../../../test/contract/catalogue-shelf.ts';
import { writeSegment } from '../../../test/support/compiled-foods.ts';
import { sampleFood } from '../../../test/support/sample-foods.ts';
import { compileCatalogue } from '../../catalogue/compile.ts';
import { FolderCatalogueShelf } from './catalogue-shelf.ts';

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
  return new FolderCatalogueShelf({ dataDir, clock: () => now++ });
}

describeCatalogueShelf('FolderCatalogueShelf', async () => {
  const dataDir = newFolder();
  const stamp = { now: Date.UTC(2026, 3, 21) };
  return () => new FolderCatalogueShelf({ dataDir, clock: () => stamp.now++ });
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
  const dataDir = newFolder();
  const shelf = shelfIn(dataDir);
  let name: string;
  {
    await using workspace = await shelf.beginImport();
    const segment = workspace.newSegmentFile('off');
    await writeSegment(segment, [sampleFood('off', '1')]);
    await compileCatalogue({ segments: [segment], out: workspace.catalogueFile, clock: () => 0 });
    name = await workspace.publish();
  }
  writeFileSync(shelf.pathOf(name), 'damaged');
  expect(await shelf.list()).toMatchObject([
    { name, inUse: true, problem: expect.stringMatching('is not a catalogue') },
  ]);
  await using workspace = await shelf.beginImport();
  expect(workspace.segments.map(({ origin }) => origin)).toEqual(['off']);
});

test('an import that was killed keeps no lock', async () => {
  const dataDir = newFolder();
  const shelf = shelfIn(dataDir);
  const script = `
    const { FolderCatalogueShelf } = await import(${JSON.stringify(import.meta.resolve('./catalogue-shelf.ts'))});
    await new FolderCatalogueShelf({ dataDir: ${JSON.stringify(dataDir)}, clock: Date.now }).beginImport();
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
