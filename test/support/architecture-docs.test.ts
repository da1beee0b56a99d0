import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

test('every path that ARCHITECTURE.md names is there', () => {
  const named = [...page.matchAll(/`((?:src|test|tools|bench|models|training|deploy|bin)\/[\w./-]*)`/g)].map(
    ([, path]) => path!,
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the map names every folder of src/', () => {
  const [, map] = /## The map\n(.*?)\n## /s.exec(page)!;
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(folders.map(({ name }) => `src/${name}/`).filter((folder) => !map!.includes(folder))).toEqual([]);
});

test('the glossary has at most 25 rows', () => {
  const [, glossary] = /## Glossary\n(.*)$/s.exec(page)!;
  expect(glossary!.split('\n').filter((line) => line.startsWith('| ')).length - 2).toBeLessThanOrEqual(25);
});
