import { resolve } from 'node:path';
import { Command } from 'commander';
import { backUp } from '../compose/backup.ts';
import { readConfig } from '../config/config.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `larder backup`: everything that was written, as it is now. */
export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .description(
      'Copy the database (diaries, recipes, goals, keys, own foods) into a file, also while the service runs. ' +
        'Catalogues are not part of it: import them again.',
    )
    .argument('<file>', 'where the copy goes; must not exist')
    .addHelpText('after', '\nExamples:\n  larder backup /backups/larder-2026-01-31.db')
    .action(async (file: string) => {
      const backup = resolve(file);
      await backUp(readConfig(terminal.env), backup);
      terminal.out.write(`${backup}\n`);
    });
}
