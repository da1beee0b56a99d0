import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { PageFiles } from './page-files.ts';

const folder = tempFolder();
const root = folder.path;
afterAll(() => folder[Symbol.dispose]());

function built(): PageFiles {
  mkdirSync(join(root, 'assets'), { recursive: true });
  const files = { 'assets/main.js': { bytes: 5, gzip: 3, br: 2 }, 'icon.svg': { bytes: 6 } };
  writeFileSync(join(root, 'files.json'), JSON.stringify({ files }));
  for (const [name, content] of [
    ['assets/main.js', 'plain'],
    ['assets/main.js.gz', 'gzi'],
    ['assets/main.js.br', 'br'],
    ['icon.svg', '<svg/>'],
  ] as const)
    writeFileSync(join(root, name), content);
  return PageFiles.open(root)!;
}

test('a folder without a list contains no page', () => {
  expect(PageFiles.open(join(root, 'none'))).toBeUndefined();
});

test.each([
  ['br, gzip', 'br', 'br'],
  ['gzip, deflate', 'gzi', 'gzip'],
  ['gzip;q=1.0, br;q=0', 'gzi', 'gzip'],
  ['br; q=0, gzip', 'gzi', 'gzip'],
  ['br;q=0.5, gzip', 'gzi', 'gzip'],
  ['gzip, deflate, br, zstd', 'br', 'br'],
  ['br;q=0.0', 'plain', undefined],
  ['gzip;q=0.000', 'plain', undefined],
  ['identity', 'plain', undefined],
  [undefined, 'plain', undefined],
])('returns the preferred encoding of "%s"', async (accepted, content, encoding) => {
  const file = await built().read('assets/main.js', accepted);
  expect(file?.body.toString()).toBe(content);
  expect(file?.headers['content-encoding']).toBe(encoding);
  expect(file?.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  });
});

test('finds the types of its files, and only files of the list', async () => {
  const files = built();
  expect((await files.read('icon.svg', 'br, gzip'))?.headers).toEqual({ 'content-type': 'image/svg+xml' });
  for (const name of ['files.json', '../files.json', 'assets/main.js.br', 'assets', '__proto__', 'toString'])
    expect(await files.read(name)).toBeUndefined();
});

test('answers that are under way share the bytes of a file', async () => {
  const files = built();
  const both = await Promise.all([files.read('icon.svg'), files.read('icon.svg')]);
  const later = await files.read('icon.svg');
  expect(new Set([...both, later].map((file) => file?.body)).size).toBe(1);
});
