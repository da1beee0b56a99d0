import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { backupCommand } from './backup.ts';
import { catalogueCommand } from './catalogue.ts';
import { checkCommand } from './check.ts';
import { importCommand } from './import.ts';
import { keyCommand } from './key.ts';
import { openApiCommand } from './openapi.ts';
import { recognizeCommand } from './recognize/recognize.ts';
import { restoreCommand } from './restore.ts';
import { scanCommand } from './scan/scan.ts';
import { searchCommand } from './search/search.ts';
import { serveCommand } from './serve.ts';
import type { Terminal } from './terminal/terminal.ts';
import { workerCommand } from './worker.ts';

/** The whole command line. Each command is one file beside this one. */
export function createProgram(terminal: Terminal): Command {
  return new Command('larder')
    .description('A self-hostable nutrition service: food search, barcodes, photo scans and a diary.')
    .version(packageJson.version)
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
    })
    .showHelpAfterError('(add --help for what is possible)')
    .addCommand(catalogueCommand(terminal))
    .addCommand(checkCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(keyCommand(terminal))
    .addCommand(openApiCommand(terminal))
    .addCommand(recognizeCommand(terminal))
    .addCommand(scanCommand(terminal))
    .addCommand(searchCommand(terminal))
    .addCommand(serveCommand(terminal))
    .addCommand(workerCommand(terminal))
    .addCommand(backupCommand(terminal))
    .addCommand(restoreCommand(terminal));
}
