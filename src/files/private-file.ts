import { randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError } from './file-errors.ts';
import { makeFolder } from './make-folder.ts';

export const OWNER_ONLY = 0o600;

/**
 * Stores a secret in a file that only its owner may read, unless the file exists. Returns the file's content:
 * concurrent processes all get the same. Writes nothing if the file exists, so that a service starts on a full disk.
 * Throws an `OperatorError` if the file cannot be read or written.
 */
export async function ensurePrivateFile(path: string, text: string): Promise<string> {
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

/** Uses a hard link, which appears complete and only if the name is free, so that readers never see a partial file. */
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
