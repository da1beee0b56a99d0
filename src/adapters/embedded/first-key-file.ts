import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FirstKeyFile } from '../../access/first-key.ts';

const FIRST_KEY_FILE = 'first-key.txt';
const OWNER_ONLY = 0o600;

/** `<data folder>/first-key.txt`, readable by its owner only, holding the key and nothing else. */
export function firstKeyFile(dataDir: string): FirstKeyFile {
  const path = join(dataDir, FIRST_KEY_FILE);
  return {
    path,
    async keep(text) {
      await mkdir(dataDir, { recursive: true });
      await createWhole(path, text);
      return (await readFile(path, 'utf8')).trim();
    },
  };
}

/** A hard link appears at once, whole, and only where there is nothing: readers never see half a file. */
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
