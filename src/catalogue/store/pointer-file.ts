import { randomUUID } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, temporaryName } from '../../files/atomic-file-writer.ts';

/** A file that holds one name, such as that of the catalogue in use. Undefined where there is none. */
export async function readPointer(file: string): Promise<string | undefined> {
  try {
    const name = (await readFile(file, 'utf8')).trim();
    return name === '' ? undefined : name;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Changes it atomically, and makes earlier renames in its folder durable as well. */
export async function writePointer(file: string, name: string): Promise<void> {
  const temporary = temporaryName(`${file}.${randomUUID()}`);
  const handle = await open(temporary, 'w');
  try {
    await handle.writeFile(`${name}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(file));
  await rename(temporary, file);
  await syncFolder(dirname(file));
}
