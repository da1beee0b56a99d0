import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
/** Folders with generated files. */
const MADE = /\/(dist|generated|node_modules)(\/|$)/;
const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

test('every path in ARCHITECTURE.md exists', () => {
  const named = [
    ...page.matchAll(/`((?:src|packages|test|tools|bench|models|training|deploy|bin)\/[\w./-]*)`/g),
  ].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every file name in ARCHITECTURE.md exists in src/, packages/ or web/', () => {
  const files = new Set(
    ['src', 'packages', 'web'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => basename(path)),
    ),
  );
  const named = [...page.matchAll(/`(?:[\w-]+\/)*([\w-]+\.ts)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !files.has(name))).toEqual([]);
});

test('the map names every folder of src/ and packages/', () => {
  const [, map] = /## The map\n(.*?)\n## /s.exec(page)!;
  const folders = ['src', 'packages'].flatMap((parent) =>
    readdirSync(join(ROOT, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}/${name}/`),
  );
  expect(folders.filter((folder) => !map!.includes(folder))).toEqual([]);
});

test('the glossary has at most 25 rows', () => {
  const [, glossary] = /## Glossary\n(.*)$/s.exec(page)!;
  expect(glossary!.split('\n').filter((line) => line.startsWith('| ')).length - 2).toBeLessThanOrEqual(25);
});

test('no file has more than 500 lines, and no folder more than 40 files, tests beside them included', () => {
  const files = ['src', 'packages', 'web/src']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !MADE.test(entry.parentPath));
  const folders = Map.groupBy(files, ({ parentPath }) => parentPath);
  expect([...folders].filter(([, { length }]) => length > 40).map(([folder]) => folder)).toEqual([]);
  const long = files
    .filter(({ name }) => name.endsWith('.ts') && !/\.(test|gen)\.ts$/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path, 'utf8').split('\n').length - 1 > 500);
  expect(long).toEqual([]);
});
