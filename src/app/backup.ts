import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import type { Config } from '../config/config.ts';
import { backUpDatabase, restoreDatabase } from '../db/sqlite/backup.ts';
import { databaseFile, openDisk, prepareDataFolder } from './data-folder.ts';

/** Throws an `OperatorError` for a node of a cluster: its database has its own tools. */
export async function backUp(config: Config, backup: string): Promise<void> {
  const file = ownFile(config);
  const folder = dirname(backup);
  // The disk reserve protects the diary's disk; another disk may be filled.
  const diskReserveMb = isSameDisk(folder, config.dataDir) ? config.diskReserveMb : 0;
  await openDisk({ dataDir: folder, diskReserveMb }).requireRoom(
    'the backup',
    sizeOf(file) + sizeOf(`${file}-wal`),
  );
  await backUpDatabase({ file, backup });
}

/** Restores a backup and returns the path of the replaced database, if there was one. Throws as `backUp` does. */
export async function restore(config: Config, backup: string): Promise<string | undefined> {
  const file = ownFile(config);
  if (sizeOf(backup) > 0) await prepareDataFolder(config);
  await openDisk(config).requireRoom('the restored database', sizeOf(backup));
  return restoreDatabase({ file, backup });
}

/** Returns 0 for a missing file, which is reported elsewhere. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function isSameDisk(folder: string, other: string): boolean {
  const [one, two] = [folder, other].map((path) => statSync(path, { throwIfNoEntry: false })?.dev);
  return one === two;
}

function ownFile(config: Config): string {
  if (config.mode === 'embedded') return databaseFile(config);
  throw new OperatorError(
    'This is a node of a cluster: use pg_dump and pg_restore on its PostgreSQL database.',
  );
}
