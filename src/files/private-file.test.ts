import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { ensurePrivateFile } from './private-file.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder[Symbol.dispose]());

test('concurrent writers of a secret all get the same one, in a file for its owner alone', async () => {
  const path = join(folder.path, 'a', 'secret');
  const kept = await Promise.all(['1', '2', '3'].map((text) => ensurePrivateFile(path, text)));
  expect(new Set(kept).size).toBe(1);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder.path, 'a'))).toEqual(['secret']);
});

test('an existing secret is read without writing, since the disk may be full', async () => {
  const path = join(folder.path, 'secret');
  await writeFile(path, 'kept\n');
  const changed = async () => (await stat(folder.path, { bigint: true })).mtimeNs;
  const before = await changed();
  expect(await ensurePrivateFile(path, 'new')).toBe('kept');
  expect(await changed()).toBe(before);
});

test('a failure names the file and its cause', async () => {
  await writeFile(join(folder.path, 'file'), '');
  const kept = ensurePrivateFile(join(folder.path, 'file', 'secret'), 'x');
  await expect(kept).rejects.toThrow(OperatorError);
  await expect(kept).rejects.toThrow(/file\/secret: a part of the path is a file/);
});
