import { copyFile, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { beforeEach, expect, test } from 'vitest';
import { writeSegment } from '../../test/support/compiled-foods.ts';
import { runLarder } from '../../test/support/run-larder.ts';
import { sampleFood } from '../../test/support/sample-foods.ts';
import { openCatalogueStore } from '../app/catalogue-store.ts';
import { readConfig } from '../config/config.ts';

let dir: string;
let env: Record<string, string>;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'larder-catalogue-'));
  // This folder marks a data folder of Larder.
  await mkdir(join(dir, 'catalogues'));
  env = { LARDER_DATA_DIR: dir };
  return () => rm(dir, { recursive: true });
});

test('without a catalogue the commands say how to get one', async () => {
  expect(await larder('list', '--json')).toBe('[]\n');
  for (const command of ['info', 'verify']) await expect(larder(command)).rejects.toThrow(/larder import/);
});

test('info describes the catalogue in use, a named one or a file', async () => {
  const name = await publish('off', '1');
  const copy = join(dir, 'copy.catalogue');
  await copyFile(catalogueStore().pathOf(name), copy);
  for (const choice of [[], [name], [copy]]) {
    const info = JSON.parse(await larder('info', ...choice, '--json'));
    expect(info).toMatchObject({ foods: 1, origins: { off: { foods: 1 } }, segments: [{ origin: 'off' }] });
  }
  expect(await larder('info')).toContain('foods      1\n');
  await expect(larder('info', 'none')).rejects.toThrow(OperatorError);
});

test('use switches between the listed catalogues', async () => {
  const first = await publish('off', '1');
  const second = await publish('fdc', '2');
  expect(await larder('list')).toMatch(
    new RegExp(`^ +name +made +foods +size\n\\* +${second} .*\n +${first} .* 1 +\\S+ MB\n$`),
  );
  expect(JSON.parse(await larder('use', first, '--json'))).toEqual({ name: first });
  expect(JSON.parse(await larder('list', '--json'))).toMatchObject([
    { name: second, inUse: false },
    { name: first, inUse: true },
  ]);
  await expect(larder('use', 'none')).rejects.toThrow(/larder catalogue list/);
});

test('a damaged catalogue fails verification, cannot be activated, and is listed as damaged', async () => {
  const first = await publish('off', '1');
  const second = await publish('fdc', '2');
  expect(await larder('verify')).toContain('is sound: 2 records');
  expect(JSON.parse(await larder('verify', first, '--json'))).toMatchObject({ records: 1 });
  await truncate(catalogueStore().pathOf(first), 1_000);
  await expect(larder('verify', first)).rejects.toThrow(/is damaged/);
  await expect(larder('use', first)).rejects.toThrow(/is damaged/);
  expect(await larder('list')).toContain('cannot be read');
  expect(await catalogueStore().current()).toBe(second);
  const other = join(dir, 'notes.txt');
  await writeFile(other, 'hello');
  await expect(larder('verify', other)).rejects.toThrow(/is not a catalogue/);
});

test('rebuild makes a readable catalogue of the same foods from a damaged one or one of another version', async () => {
  await expect(larder('rebuild')).rejects.toThrow(/Nothing was imported/);
  const first = await publish('off', '1');
  await publish('fdc', '2');
  const bytes = await readFile(catalogueStore().pathOf(first));
  const cases = [
    { broken: Buffer.from('damaged'), foods: 2 },
    // This is the first catalogue, which has only the first import.
    { broken: Buffer.from(bytes).fill(9, 8, 12), foods: 1 },
  ];
  for (const { broken, foods } of cases) {
    await writeFile(catalogueStore().pathOf((await catalogueStore().current())!), broken);
    await expect(larder('verify')).rejects.toThrow(OperatorError);
    const rebuilt = JSON.parse(await larder('rebuild', '--json'));
    expect(rebuilt).toEqual({ name: await catalogueStore().current(), foods });
    expect(await larder('verify')).toContain('is sound');
  }
});

test('use recompiles the imports of a catalogue of another format version, as verify says', async () => {
  const first = await publish('off', '1');
  const second = await publish('fdc', '2');
  const bytes = await readFile(catalogueStore().pathOf(first));
  await writeFile(catalogueStore().pathOf(first), bytes.fill(9, 8, 12));
  await expect(larder('verify', first)).rejects.toThrow(/format version.*`larder catalogue use NAME`/);
  const said = await larder('use', first);
  const used = (await catalogueStore().current())!;
  expect(said).toBe(`${used} is in use.\n`);
  expect([first, second]).not.toContain(used);
  expect(JSON.parse(await larder('info', '--json'))).toMatchObject({
    foods: 1,
    segments: [{ origin: 'off' }],
  });
});

test('commands for a cluster say what to do in embedded mode', async () => {
  for (const words of [['publish'], ['activate', 'x'], ['rollback'], ['list', '--published']]) {
    await expect(larder(...words)).rejects.toThrow(/Only a cluster.*`larder catalogue use NAME`/);
  }
});

const larder = (...words: string[]) => runLarder(env, 'catalogue', ...words);

function catalogueStore() {
  return openCatalogueStore(readConfig(env));
}

let now = Date.UTC(2026, 3, 21);

async function publish(origin: 'off' | 'fdc', key: string): Promise<string> {
  await using workspace = await catalogueStore().beginImport();
  const segment = workspace.newSegmentFile(origin);
  await writeSegment(segment, [sampleFood(origin, key)]);
  const segments = [...workspace.segments.map(({ file }) => file), segment];
  now += 1_000;
  await workspace.compile({ segments, nowMs: () => now });
  return await workspace.complete();
}
