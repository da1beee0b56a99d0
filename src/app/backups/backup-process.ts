import type { Config } from '../../config/config.ts';
import { lowerProcessPriority, serveParent } from '../../threads/parent.ts';
import { type BackupRound, makeDueBackup } from './make-due-backup.ts';

/** The call of the service to the process. */
export interface BackupProcessCalls {
  /** Makes a backup if the newest is due, and returns what is kept then. */
  run(_: undefined): Promise<BackupRound>;
}

lowerProcessPriority();

/** A process for one backup, because copying a database takes one long step. */
serveParent<Config, Record<never, never>>(async (config) => {
  return { run: () => makeDueBackup(config, { nowMs: Date.now() }) } satisfies BackupProcessCalls;
});
