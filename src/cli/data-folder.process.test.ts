import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { runLarder } from '../../test/support/run-larder.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

/** Commands that need an existing data folder. */
const WORKING = [
  ['key list'],
  ['key create --tenant acme --scopes scan'],
  ['key revoke 1xUf0O1ZNLc9'],
  ['key rotate 1xUf0O1ZNLc9'],
  ['catalogue list'],
  ['catalogue info'],
  ['catalogue verify'],
  ['catalogue use monday'],
  ['catalogue rebuild'],
  ['search milk'],
  ['recognize photo.jpg'],
  ['backup backup.db'],
];
/** Commands that create a data folder. */
const BEGINNING = [['serve'], ['import starter'], [`restore ${import.meta.filename}`]];

let root: string;
beforeEach(() => {
  const folder = tempFolder();
  root = folder.path;
  return () => folder[Symbol.dispose]();
});

const run = (dataDir: string, words: string) =>
  runLarder({ LARDER_DATA_DIR: dataDir, LARDER_PORT: '0' }, ...words.split(' '));

async function refusal(dataDir: string, words: string): Promise<Error> {
  const error: unknown = await run(dataDir, words).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(OperatorError);
  expect((error as Error).message).toContain(dataDir);
  return error as Error;
}

test.each(WORKING)('%s refuses a missing or empty folder, and creates nothing', async (words) => {
  const missing = join(root, 'mistyped');
  await refusal(missing, words);
  expect(existsSync(missing)).toBe(false);
  mkdirSync(missing);
  await refusal(missing, words);
  expect(readdirSync(missing)).toEqual([]);
});

describe.each([...WORKING, ...BEGINNING])('%s ends with a clear error', (words) => {
  test.skipIf(process.platform !== 'linux')('on a file system without folders', async () => {
    for (const folder of ['/proc/x', '/proc/x/y']) await refusal(folder, words);
  });

  test('at the path of a file, or of a dangling link', async () => {
    writeFileSync(join(root, 'file'), '');
    symlinkSync(join(root, 'nowhere'), join(root, 'link'));
    for (const name of ['file', 'file/x', 'link', 'link/x']) await refusal(join(root, name), words);
  });

  test.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')(
    'on a read-only file system',
    async () => {
      await refusal('/sys/kernel/x', words);
    },
  );
});

test('keys can be created before the first start of a service once the folder has content', async () => {
  await run(root, 'import starter');
  await run(root, 'key create --tenant acme --scopes scan');
  expect(JSON.parse(await run(root, 'key list --json'))).toHaveLength(1);
});

test('backup and restore name their files as JSON', async () => {
  await run(root, 'import starter');
  await run(root, 'key create --tenant acme --scopes scan');
  const file = join(root, 'copy.db');
  expect(JSON.parse(await run(root, `backup ${file} --json`))).toEqual({ file, sha256: expect.any(String) });
  const { replaced, ...rest } = JSON.parse(await run(root, `restore ${file} --json`));
  expect(rest).toEqual({ file });
  expect(replaced).toMatch(/^\//);
});
