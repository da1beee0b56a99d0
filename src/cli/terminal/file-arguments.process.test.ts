import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { runLarder } from '../../../test/support/run-larder.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';

const COMMANDS = [
  'import off',
  'import fdc',
  'import composition --origin ciqual',
  'import table',
  'restore',
  'catalogue verify',
  'catalogue info',
  'search egg --catalogue',
  'search --batch',
  'parse --batch',
];

async function failure(LARDER_DATA_DIR: string, words: string, path: string): Promise<string> {
  const error: unknown = await runLarder({ LARDER_DATA_DIR }, ...words.split(' '), path).catch(
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(OperatorError);
  return (error as Error).message;
}

test('every command reports a missing file in the same words', async () => {
  using folder = tempFolder();
  await runLarder({ LARDER_DATA_DIR: folder.path }, 'import', 'starter');
  const path = join(folder.path, 'none.txt');
  for (const words of COMMANDS) {
    expect(await failure(folder.path, words, path), words).toBe(
      `Cannot read ${path}: there is no such file or folder; check the path.`,
    );
  }
});

test('every command that reads a file reports a folder in the same words', async () => {
  using folder = tempFolder();
  await runLarder({ LARDER_DATA_DIR: folder.path }, 'import', 'starter');
  for (const words of COMMANDS.filter((command) => command !== 'import fdc')) {
    expect(await failure(folder.path, words, folder.path), words).toBe(
      `Cannot read ${folder.path}: it is a folder, not a file; name a file in it.`,
    );
  }
});
