import { Command } from 'commander';
import { activateStoredCatalogue } from '../../app/operator/activate-catalogue.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { openOwnCatalogueStore } from '../terminal/file-arguments.ts';
import { openProgress } from '../terminal/progress.ts';
import { printResult, type Terminal, tell } from '../terminal/terminal.ts';
import { interruptible } from './import-session.ts';

export function catalogueUseCommand(terminal: Terminal): Command {
  return new Command('use')
    .description(
      'Switch to another stored catalogue. A running service switches within seconds. ' +
        'If the catalogue has another format version, its imports are compiled again.',
    )
    .argument('<name>', 'a name that `larder catalogue list` shows')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  larder catalogue use 20260421-101500-1a2b3c4d')
    .action(async (name: string, { json }: { json?: true }) => {
      const { config } = commandConfig(terminal);
      const catalogueStore = openOwnCatalogueStore(config);
      const progress = openProgress(terminal);
      const used = await interruptible(
        (signal) => activateStoredCatalogue({ catalogueStore, name, progress, signal }),
        'The rebuild',
      );
      printResult(terminal, json, { name: used }, `${used} is in use.\n`);
      if (config.mode === 'cluster') {
        tell(
          terminal,
          `The next import here builds on it. Nodes answer from it after \`larder catalogue publish ${used} --activate\`.\n`,
        );
      }
    });
}
