import { randomUUID } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RepeatedTask } from '../../base/repeated-task.ts';
import { syncFolder, temporaryName } from '../../files/atomic-file-writer.ts';
import { makeFolderSync } from '../../files/make-folder.ts';

const POLL_INTERVAL_MS = 1_000;

/**
 * Calls `onChange` when the pointer names another catalogue than `known`, also if that was before the call.
 * File-system events make it fast; polling makes it reliable, because network drives and exhausted watches
 * lose events.
 */
export function watchPointer(
  file: string,
  known: string | undefined,
  onChange: (name: string) => void,
): { close(): void } {
  let last = known;
  let isClosed = false;
  const looking = new RepeatedTask(
    async () => {
      // An unreadable pointer counts as unchanged.
      const name = await readPointer(file).catch(() => undefined);
      if (isClosed || name === undefined || name === last) return;
      last = name;
      onChange(name);
    },
    {
      everyMs: POLL_INTERVAL_MS,
      onError(error) {
        throw error;
      },
    },
  );
  let events: FSWatcher | undefined;
  try {
    const folder = dirname(file);
    makeFolderSync(folder);
    events = watch(folder, { persistent: false }, () => void looking.runNow());
    events.on('error', () => events?.close());
  } catch {
    // Without events, polling remains.
  }
  looking.start();
  void looking.runNow();
  return {
    close() {
      isClosed = true;
      events?.close();
      void looking.stop();
    },
  };
}

/** A file with a single name, such as that of the active catalogue. Undefined if it does not exist. */
export async function readPointer(file: string): Promise<string | undefined> {
  try {
    const name = (await readFile(file, 'utf8')).trim();
    return name === '' ? undefined : name;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Changes it atomically, and makes earlier renames in its folder durable too. */
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
