import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { keepPrivateFile } from '../files/owner-only-file.ts';
import type { FirstKeyFile } from './first-key.ts';

const FIRST_KEY_FILE = 'first-key.txt';

/** `<data folder>/first-key.txt`, readable by its owner only, holding the key and nothing else. */
export function firstKeyFile(dataDir: string): FirstKeyFile {
  const path = join(dataDir, FIRST_KEY_FILE);
  return { path, keep: (text) => keepPrivateFile(path, text), remove: () => rm(path, { force: true }) };
}

/** Undefined where there is none, or where it may not be read. */
export async function readFirstKey(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataDir, FIRST_KEY_FILE), 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') return undefined;
    throw error;
  }
}
