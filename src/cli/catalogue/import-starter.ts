import { Command } from 'commander';
import { openCatalogueStore, STARTER } from '../../app/catalogue-store.ts';
import { replaceFoods } from '../../foods/import/complete-foods.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { openProgress } from '../terminal/progress.ts';
import { print, type Terminal } from '../terminal/terminal.ts';
import { interruptible, printCatalogue, printHowToPublish } from './import-session.ts';

interface StarterOptions {
  readonly keepCurrent?: true;
  readonly json?: true;
}

export function importStarterCommand(terminal: Terminal): Command {
  return new Command('starter')
    .description(
      'Import the foods that ship with this version of Larder. They replace those of an earlier version: ' +
        'use it after an upgrade, or if the first import left them out.',
    )
    .option('--keep-current', 'store the new catalogue but do not switch to it; `larder catalogue use` does')
    .option('--json', 'print the new catalogue as JSON')
    .addHelpText('after', '\nExample:\n  larder import starter')
    .action((options: StarterOptions) => importStarter(terminal, options));
}

async function importStarter(terminal: Terminal, { keepCurrent, json }: StarterOptions): Promise<void> {
  const { config } = commandConfig(terminal);
  const catalogueStore = openCatalogueStore(config);
  const putInUse = keepCurrent !== true;
  const progress = openProgress(terminal);
  const renewed = await interruptible((signal) =>
    replaceFoods({ catalogueStore, ready: STARTER, putInUse, progress, nowMs: Date.now, signal }),
  );
  if (json) {
    const { catalogue: name, foods } = renewed;
    print(terminal, `${JSON.stringify({ catalogue: { name, foods, inUse: putInUse } }, null, 2)}\n`);
  }
  printCatalogue(terminal, renewed, putInUse);
  printHowToPublish(terminal, config, renewed.catalogue);
}
