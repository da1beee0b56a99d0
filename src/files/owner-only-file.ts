import { randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError } from './file-errors.ts';
import { makeFolder } from './make-folder.ts';

export const OWNER_ONLY = 0o600;

/**
 * Keeps a secret in a file that only its owner may read, unless there is one already. Answers what the file holds: of
 * several processes that do this at once, all get the same. Writes nothing where there is one, so that a service starts on
 * a full disk, too. Throws an `OperatorError` where the file cannot be read or written.
 */
export async function keepPrivateFile(path: string, text: string): Promise<string> {
  try {
    return (await readIfThere(path)) ?? (await createAndRead(path, text));
  } catch (error) {
    throw fileError(`Cannot keep a secret in ${path}`, error);
  }
}

async function createAndRead(path: string, text: string): Promise<string> {
  await makeFolder(dirname(path));
  await createWhole(path, text);
  return read(path);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await read(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function read(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim();
}

/** Uses a hard link, which appears whole and only where there is nothing, so that readers never see half a file. */
async function createWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await file.close();
    await unlink(temporary);
  }
}
