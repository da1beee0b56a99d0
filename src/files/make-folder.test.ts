import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { makeFolder, makeFolderSync } from './make-folder.ts';

let root: string;
beforeEach(() => {
  const folder = tempFolder();
  root = folder.path;
  return () => folder[Symbol.dispose]();
});

describe.each([
  ['makeFolder', makeFolder],
  ['makeFolderSync', async (path: string) => makeFolderSync(path)],
])('%s', (_, make) => {
  test('makes all parent folders, and leaves existing content', async () => {
    const path = join(root, 'a', 'b', 'c');
    await make(path);
    await make(path);
    await make(`${path}/`);
    expect(statSync(path).isDirectory()).toBe(true);
    await make('/');
  });

  test('concurrent calls make it', async () => {
    const path = join(root, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 20 }, () => make(path)));
    expect(statSync(path).isDirectory()).toBe(true);
  });

  test('follows a link to a folder, and rejects a dangling one', async () => {
    mkdirSync(join(root, 'there'));
    symlinkSync(join(root, 'there'), join(root, 'good'));
    await make(join(root, 'good', 'x'));
    expect(statSync(join(root, 'there', 'x')).isDirectory()).toBe(true);
    symlinkSync(join(root, 'nowhere'), join(root, 'bad'));
    for (const path of ['bad', 'bad/x']) {
      await expect(make(join(root, path))).rejects.toMatchObject({
        code: expect.stringMatching(/EEXIST|ENOENT/),
      });
    }
  });

  test('rejects the path of a file', async () => {
    writeFileSync(join(root, 'file'), '');
    await expect(make(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(make(join(root, 'file', 'x', 'y'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  test.skipIf(process.platform !== 'linux')('ends on a file system without folders', async () => {
    for (const path of ['/proc/x', '/proc/x/y/z', '/proc/self/x'])
      await expect(make(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

test('makeFolder returns whether it created the folder', async () => {
  expect(await makeFolder(join(root, 'a', 'b'))).toBe(true);
  expect(await makeFolder(join(root, 'a', 'b'))).toBe(false);
});
