import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { backUp, restore } from '../app/backup.ts';
import { CHECKSUM, checksumLine } from '../app/backups/backup-store.ts';
import { makeDueBackup } from '../app/backups/make-due-backup.ts';
import { openBackupStore } from '../app/backups/open-backup-store.ts';
import type { Config } from '../config/config.ts';
import { commandConfig } from './terminal/command-config.ts';
import { printResult, type Terminal, tell } from './terminal/terminal.ts';

/** `larder backup`: copies everything written through the API and the command line. */
export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .description(
      'Copy the database (diaries, recipes, goals, measurements, keys, custom foods) into a file. The service may be running. ' +
        'A backup does not contain catalogues; import them again after a restore.',
    )
    .argument(
      '[file]',
      'file for the copy, which must not exist yet; without it a backup is made in LARDER_BACKUP_TO',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExamples:\n  larder backup /backups/larder-2026-01-31.db')
    .action(async (file: string | undefined, { json }: { json?: true }) => {
      const { config } = commandConfig(terminal);
      if (file === undefined) {
        const { kept } = await makeDueBackup(config, { nowMs: Date.now(), isForced: true });
        printResult(terminal, json, { kept }, kept.map(({ name }) => `${name}\n`).join(''));
        return;
      }
      const backup = resolve(file);
      const sha256 = await backUp(config, backup);
      await writeFile(backup + CHECKSUM, checksumLine(sha256, basename(backup)), { mode: 0o600 });
      printResult(terminal, json, { file: backup, sha256 }, `${backup}\n`);
    });
}

/** `larder restore`: returns to a backup and keeps the replaced database beside it. */
export function restoreCommand(terminal: Terminal): Command {
  return new Command('restore')
    .description('Replace the database by a backup. Stop the service first.')
    .argument(
      '<file>',
      'file that `larder backup` wrote, or the name of a backup in LARDER_BACKUP_TO, or `latest` there',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExamples:\n  larder restore /backups/larder-2026-01-31.db')
    .action(async (file: string, { json }: { json?: true }) => {
      const { config } = commandConfig(terminal);
      const backup = await findBackup(config, file);
      const replaced = await restore(config, backup);
      printResult(terminal, json, { file: backup, replaced }, '');
      tell(terminal, `Restored from ${backup}.\n`);
      if (replaced !== undefined) tell(terminal, `The database that was there is now ${replaced}.\n`);
    });
}

/** The path of a file, or of a copy of a backup in `LARDER_BACKUP_TO`. */
async function findBackup(config: Config, file: string): Promise<string> {
  const path = resolve(file);
  if (existsSync(path) || config.backup === undefined) return path;
  const store = await openBackupStore(config);
  const kept = await store.list();
  const named = file === 'latest' ? kept[0] : kept.find(({ name }) => name === file);
  if (named !== undefined) return store.fetch(named.name);
  const known = kept.map(({ name }) => name).join(', ') || 'none';
  throw new OperatorError(
    `There is no file ${path}, and no such backup in LARDER_BACKUP_TO: there are ${known}.`,
  );
}
