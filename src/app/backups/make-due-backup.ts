import type { Config } from '../../config/config.ts';
import { backUp } from '../backup.ts';
import { backupName, type KeptBackup } from './backup-store.ts';
import { openBackupStore } from './open-backup-store.ts';

export const HOUR_MS = 60 * 60_000;

export interface BackupRound {
  /** Newest first. */
  readonly kept: readonly KeptBackup[];
  readonly isNew: boolean;
}

/**
 * Makes a backup if none is newer than `LARDER_BACKUP_HOURS`, or at once, and deletes those beyond `LARDER_BACKUP_KEEP`. Throws
 * an `OperatorError`; older backups stay then.
 */
export async function makeDueBackup(
  config: Config,
  { nowMs, isForced = false }: { readonly nowMs: number; readonly isForced?: boolean },
): Promise<BackupRound> {
  const store = await openBackupStore(config);
  const { everyHours, keep } = config.backup!;
  const there = await store.list();
  // One from the future was made by a clock that was wrong.
  const newest = there.find(({ atMs }) => atMs <= nowMs);
  if (!isForced && newest !== undefined && nowMs - newest.atMs < everyHours * HOUR_MS)
    return { kept: there, isNew: false };
  await store.keep(backupName(nowMs), (file) => backUp(config, file));
  const kept = await store.list();
  for (const { name } of kept.slice(keep)) await store.remove(name);
  return { kept: kept.slice(0, keep), isNew: true };
}
