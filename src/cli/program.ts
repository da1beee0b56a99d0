import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { backupCommand, restoreCommand } from './backup.ts';
import { catalogueActivateCommand, catalogueRollbackCommand } from './catalogue/activate.ts';
import { importCompositionCommand } from './catalogue/import-composition.ts';
import { importFdcCommand } from './catalogue/import-fdc.ts';
import { importOffCommand } from './catalogue/import-off.ts';
import { importStarterCommand } from './catalogue/import-starter.ts';
import { catalogueInfoCommand } from './catalogue/info.ts';
import { catalogueListCommand } from './catalogue/list.ts';
import { cataloguePublishCommand } from './catalogue/publish.ts';
import { catalogueRebuildCommand } from './catalogue/rebuild.ts';
import { catalogueUseCommand } from './catalogue/use.ts';
import { catalogueVerifyCommand } from './catalogue/verify.ts';
import { checkCommand } from './check.ts';
import { keyCreateCommand } from './key/create.ts';
import { keyListCommand } from './key/list.ts';
import { keyRevokeCommand, keyRotateCommand } from './key/revoke.ts';
import { openApiCommand } from './openapi.ts';
import { recognizeCommand } from './scan/recognize.ts';
import { scanCommand } from './scan/scan.ts';
import { searchCommand } from './search/search.ts';
import { serveCommand } from './serve.ts';
import type { Terminal } from './terminal/terminal.ts';
import { workerCommand } from './worker.ts';

function catalogueCommand(terminal: Terminal): Command {
  return new Command('catalogue')
    .description('Look at, check, switch, rebuild and publish the compiled catalogues of foods.')
    .addCommand(catalogueInfoCommand(terminal))
    .addCommand(catalogueListCommand(terminal))
    .addCommand(catalogueUseCommand(terminal))
    .addCommand(catalogueRebuildCommand(terminal))
    .addCommand(catalogueVerifyCommand(terminal))
    .addCommand(cataloguePublishCommand(terminal))
    .addCommand(catalogueActivateCommand(terminal))
    .addCommand(catalogueRollbackCommand(terminal));
}

function importCommand(terminal: Terminal): Command {
  return new Command('import')
    .description('Fill the catalogue from public collections of foods, or with those that ship.')
    .addCommand(importOffCommand(terminal))
    .addCommand(importFdcCommand(terminal))
    .addCommand(importCompositionCommand(terminal))
    .addCommand(importStarterCommand(terminal));
}

function keyCommand(terminal: Terminal): Command {
  return new Command('key')
    .description('Create, list, revoke and rotate API keys.')
    .addCommand(keyCreateCommand(terminal))
    .addCommand(keyListCommand(terminal))
    .addCommand(keyRevokeCommand(terminal))
    .addCommand(keyRotateCommand(terminal));
}

/** The command line. Each command is one file beside this one. */
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
