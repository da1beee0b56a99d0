import { Command } from 'commander';
import { Catalogue } from '../../catalogue/file/catalogue.ts';
import { loadCatalogueImage } from '../../catalogue/file/load-catalogue.ts';
import { readConfig } from '../../config/config.ts';
import { openOwnCatalogueStore } from '../terminal/file-arguments.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function catalogueUseCommand(terminal: Terminal): Command {
  return new Command('use')
    .description(
      'Take another catalogue of the catalogue store into use; a running service swaps to it within seconds.',
    )
    .argument('<name>', 'a name that `larder catalogue list` shows')
    .addHelpText('after', '\nExample:\n  larder catalogue use 20260421-101500-1a2b3c4d')
    .action(async (name: string) => {
      const config = readConfig(terminal.env);
      const catalogueStore = openOwnCatalogueStore(config);
      if ((await catalogueStore.list()).some((listed) => listed.name === name)) {
        // Refuses a damaged catalogue here rather than in the service.
        Catalogue.open(await loadCatalogueImage(catalogueStore.pathOf(name)));
      }
      await catalogueStore.use(name);
      terminal.out.write(`${name} is in use.\n`);
      if (config.mode === 'cluster') {
        terminal.err.write(
          `The next import here builds on it. Nodes answer from it after \`larder catalogue publish ${name} --activate\`.\n`,
        );
      }
    });
}
