import { Command } from 'commander';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { isReadableCatalogue } from '../../foods/catalogue/format.ts';
import { loadCatalogueImage } from '../../foods/catalogue/load-catalogue.ts';
import type { CatalogueStore } from '../../foods/compile/catalogue-store.ts';
import { rebuildCatalogue } from '../../foods/import/rebuild-catalogue.ts';
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
      const used = await takeIntoUse(terminal, openOwnCatalogueStore(config), name);
      printResult(terminal, json, { name: used }, `${used} is in use.\n`);
      if (config.mode === 'cluster') {
        tell(
          terminal,
          `The next import here builds on it. Nodes answer from it after \`larder catalogue publish ${used} --activate\`.\n`,
        );
      }
    });
}

/** Activates a catalogue and returns its name. */
async function takeIntoUse(
  terminal: Terminal,
  catalogueStore: CatalogueStore,
  name: string,
): Promise<string> {
  const listed = (await catalogueStore.list()).find((one) => one.name === name);
  if (listed?.info !== undefined && !isReadableCatalogue(listed.info.formatVersion)) {
    tell(terminal, `${name} has another format version; its imports are compiled again.\n`);
    const progress = openProgress(terminal);
    const { catalogue } = await interruptible(
      (signal) => rebuildCatalogue({ catalogueStore, name, progress, nowMs: Date.now, signal }),
      'The rebuild',
    );
    return catalogue;
  }
  // A damaged catalogue is refused here rather than in the service.
  if (listed !== undefined) Catalogue.open(await loadCatalogueImage(catalogueStore.pathOf(name)));
  await catalogueStore.use(name);
  return name;
}
