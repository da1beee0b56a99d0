import { Command } from 'commander';
import type { ShelvedCatalogue } from '../catalogue/catalogue-shelf.ts';
import { openShelf } from '../compose/shelf.ts';
import { readConfig } from '../config.ts';
import { megabytes } from './quantities.ts';
import type { Terminal } from './terminal.ts';

export function catalogueListCommand(terminal: Terminal): Command {
  return new Command('list')
    .description('List the catalogues on the shelf, newest first; a star marks the one in use.')
    .option('--json', 'print one JSON array')
    .addHelpText('after', '\nExamples:\n  larder catalogue list\n  larder catalogue list --json')
    .action(async ({ json }: { json?: true }) => {
      const shelved = await openShelf(readConfig(terminal.env)).list();
      if (json) terminal.out.write(`${JSON.stringify(shelved)}\n`);
      else for (const catalogue of shelved) terminal.out.write(`${toLine(catalogue)}\n`);
      if (shelved.length === 0)
        terminal.err.write('No catalogue yet; `larder import` makes the first one.\n');
    });
}

function toLine({ name, inUse, info, problem }: ShelvedCatalogue): string {
  const what =
    info === undefined
      ? `cannot be read: ${problem}`
      : `${new Date(info.createdAt).toISOString()}  ${info.foods} foods  ${megabytes(info.bytes)}`;
  return `${inUse ? '*' : ' '} ${name}  ${what}`;
}
