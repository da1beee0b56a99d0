import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import type { Config } from '../config/config.ts';
import { backUpDatabase, restoreDatabase } from '../db/sqlite/backup.ts';
import { CHECKSUM, sha256Of } from './backups/backup-store.ts';
import { databaseFile, openDisk, prepareDataFolder } from './data-folder.ts';

/**
 * Copies the database and returns the SHA-256 of the copy. Throws an `OperatorError` for a node of a cluster: its database
 * has its own tools.
 */
export async function backUp(config: Config, backup: string): Promise<string> {
  const file = ownFile(config);
  const folder = dirname(backup);
  // The disk reserve protects the diary's disk; another disk may be filled.
  const diskReserveMb = isSameDisk(folder, config.dataDir) ? config.diskReserveMb : 0;
  await openDisk({ dataDir: folder, diskReserveMb }).requireRoom(
    'the backup',
    sizeOf(file) + sizeOf(`${file}-wal`),
  );
  await backUpDatabase({ file, backup });
  return sha256Of(backup);
}

/**
 * Restores a backup, after its checksum, if there is one beside it, was compared. Returns the path of the replaced database, if
 * there was one. Throws as `backUp` does.
 */
export async function restore(config: Config, backup: string): Promise<string | undefined> {
  const file = ownFile(config);
  await verifyChecksum(backup);
  if (sizeOf(backup) > 0) await prepareDataFolder(config);
  await openDisk(config).requireRoom('the restored database', sizeOf(backup));
  return restoreDatabase({ file, backup });
}

async function verifyChecksum(backup: string): Promise<void> {
  const line = await readFile(backup + CHECKSUM, 'utf8').catch(() => undefined);
  if (line === undefined || sizeOf(backup) === 0) return;
  const [expected] = line.split(/\s/);
  if (expected === (await sha256Of(backup))) return;
  throw new OperatorError(
    `${backup} is damaged: it has another checksum than ${backup}${CHECKSUM} says. Nothing was changed; take another backup.`,
  );
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
