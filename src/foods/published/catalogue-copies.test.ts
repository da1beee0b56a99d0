import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { CatalogueCopies } from './catalogue-copies.ts';

const NOW_MS = Date.UTC(2026, 3, 21);
const HOUR_MS = 3_600_000;

let dataDir: string;
let copies: CatalogueCopies;
beforeEach(() => {
  const folder = tempFolder();
  dataDir = folder.path;
  copies = new CatalogueCopies({ dataDir, nowMs: () => NOW_MS });
  return () => folder[Symbol.dispose]();
});

/** `age` counts back from now. */
async function fetchOne(name: string, ageMs: number): Promise<void> {
  const file = await copies.newFile(name);
  writeFileSync(file, name);
  await copies.adopt(file, name);
  touch(copies.pathOf(name), ageMs);
}

function touch(file: string, ageMs: number): void {
  const atSeconds = (NOW_MS - ageMs) / 1_000;
  utimesSync(file, atSeconds, atSeconds);
}

test('a copy exists after it was adopted, and is current after it was used', async () => {
  expect([copies.has('a'), await copies.current()]).toEqual([false, undefined]);
  await fetchOne('a', 0);
  expect([copies.has('a'), await copies.current()]).toEqual([true, undefined]);
  await copies.use('a');
  expect(await new CatalogueCopies({ dataDir, nowMs: () => NOW_MS }).current()).toBe('a');
  const file = await copies.withdraw('a');
  expect([copies.has('a'), readFileSync(file, 'utf8')]).toEqual([false, 'a']);
  expect(existsSync(await copies.withdraw('a'))).toBe(false);
  await copies.adopt(file, 'a');
  expect(copies.has('a')).toBe(true);
});

test('the current one and the two others that were fetched last are kept', async () => {
  for (const [at, name] of ['a', 'b', 'c', 'd', 'e'].entries()) await fetchOne(name, (9 - at) * 1_000);
  await copies.use('a');
  expect(['a', 'b', 'c', 'd', 'e'].filter((name) => copies.has(name))).toEqual(['a', 'd', 'e']);
});

test('leftovers of a crash are removed after an hour, and files that may be in use are kept', async () => {
  await fetchOne('a', 0);
  const [young, old] = [await copies.newFile('b'), await copies.newFile('b')];
  const pointer = join(dataDir, 'published', 'current.x.tmp');
  for (const file of [young, old, pointer]) writeFileSync(file, '');
  touch(young, HOUR_MS / 2);
  for (const file of [old, pointer]) touch(file, HOUR_MS + 1_000);
  await copies.use('a');
  expect([young, old, pointer].map((file) => existsSync(file))).toEqual([true, false, false]);
});

test('processes that share the folder may change the current catalogue at the same time', async () => {
  const names = ['a', 'b'];
  for (const name of names) await fetchOne(name, 0);
  await Promise.all(Array.from({ length: 40 }, (_, at) => copies.use(names[at % 2]!)));
  expect(names).toContain(await copies.current());
  expect(readdirSync(join(dataDir, 'published')).toSorted()).toEqual([
    'a.catalogue',
    'b.catalogue',
    'current',
  ]);
});
