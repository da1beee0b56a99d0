import { Command } from 'commander';
import { backupCommand } from './backup.ts';
import { catalogueCommand } from './catalogue.ts';
import { importCommand } from './import.ts';
import { keyCommand } from './key.ts';
import { openApiCommand } from './openapi.ts';
import { restoreCommand } from './restore.ts';
import { searchCommand } from './search.ts';
import { serveCommand } from './serve.ts';
import type { Terminal } from './terminal.ts';

/** The whole command line. Each command is one file beside this one. */
export function createProgram(terminal: Terminal): Command {
  return new Command('larder')
    .description('A self-hostable nutrition service: food search, barcodes, photo scans and a diary.')
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
    })
    .showHelpAfterError('(add --help for what is possible)')
    .addCommand(catalogueCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(keyCommand(terminal))
    .addCommand(openApiCommand(terminal))
    .addCommand(searchCommand(terminal))
    .addCommand(serveCommand(terminal))
    .addCommand(backupCommand(terminal))
    .addCommand(restoreCommand(terminal));
}
