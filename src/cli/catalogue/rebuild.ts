import { Command } from 'commander';
import { counted } from '../../base/texts.ts';
import { rebuildCatalogue } from '../../foods/import/rebuild-catalogue.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { openOwnCatalogueStore } from '../terminal/file-arguments.ts';
import { openProgress } from '../terminal/progress.ts';
import { printResult, type Terminal } from '../terminal/terminal.ts';
import { interruptible, printHowToPublish } from './import-session.ts';

export function catalogueRebuildCommand(terminal: Terminal): Command {
  return new Command('rebuild')
    .description(
      'Compile the imports of the catalogue in use again and switch to the result, for example if a file is damaged. ' +
        'After an upgrade with a new format, the first start of the service does this.',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  larder catalogue rebuild')
    .action(async ({ json }: { json?: true }) => {
      const { config } = commandConfig(terminal);
      const catalogueStore = openOwnCatalogueStore(config);
      const progress = openProgress(terminal);
      const { catalogue, foods } = await interruptible(
        (signal) => rebuildCatalogue({ catalogueStore, progress, nowMs: Date.now, signal }),
        'The rebuild',
      );
      printResult(
        terminal,
        json,
        { name: catalogue, foods },
        `${catalogue} is in use: ${counted(foods, 'food')}.\n`,
      );
      printHowToPublish(terminal, config, catalogue);
    });
}
