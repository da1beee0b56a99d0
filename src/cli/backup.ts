import { resolve } from 'node:path';
import { Command } from 'commander';
import { backUp, restore } from '../app/backup.ts';
import { commandConfig } from './terminal/command-config.ts';
import { printResult, type Terminal, tell } from './terminal/terminal.ts';

/** `larder backup`: copies everything written through the API and the command line. */
export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .description(
      'Copy the database (diaries, recipes, goals, measurements, keys, custom foods) into a file. The service may be running. ' +
        'A backup does not contain catalogues; import them again after a restore.',
    )
    .argument('<file>', 'file for the copy; it must not exist yet')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExamples:\n  larder backup /backups/larder-2026-01-31.db')
    .action(async (file: string, { json }: { json?: true }) => {
      const backup = resolve(file);
      await backUp(commandConfig(terminal).config, backup);
      printResult(terminal, json, { file: backup }, `${backup}\n`);
    });
}

/** `larder restore`: returns to a backup and keeps the replaced database beside it. */
export function restoreCommand(terminal: Terminal): Command {
  return new Command('restore')
    .description('Replace the database by a backup. Stop the service first.')
    .argument('<file>', 'file that `larder backup` wrote')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExamples:\n  larder restore /backups/larder-2026-01-31.db')
    .action(async (file: string, { json }: { json?: true }) => {
      const replaced = await restore(commandConfig(terminal).config, resolve(file));
      printResult(terminal, json, { file: resolve(file), replaced }, '');
      tell(terminal, `Restored from ${resolve(file)}.\n`);
      if (replaced !== undefined) tell(terminal, `The database that was there is now ${replaced}.\n`);
    });
}
