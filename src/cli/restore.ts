import { resolve } from 'node:path';
import { Command } from 'commander';
import { restore } from '../compose/backup.ts';
import { readConfig } from '../config/config.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `larder restore`: back to a backup; what is there now is kept beside it. */
export function restoreCommand(terminal: Terminal): Command {
  return new Command('restore')
    .description('Put a backup in the place of the database. Refuses while the service runs.')
    .argument('<file>', 'what `larder backup` wrote')
    .addHelpText('after', '\nExamples:\n  larder restore /backups/larder-2026-01-31.db')
    .action(async (file: string) => {
      const replaced = await restore(readConfig(terminal.env), resolve(file));
      terminal.err.write(`Restored from ${resolve(file)}.\n`);
      if (replaced !== undefined) terminal.err.write(`The database that was there is now ${replaced}.\n`);
    });
}
