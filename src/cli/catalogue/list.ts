import { Command } from 'commander';
import { count } from '../../base/texts.ts';
import type { ListedCatalogue } from '../../foods/compile/catalogue-store.ts';
import type { ListedVersion } from '../../foods/published/published-versions.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { openOwnCatalogueStore } from '../terminal/file-arguments.ts';
import { columns, size } from '../terminal/format.ts';
import { printResult, type Terminal, tell } from '../terminal/terminal.ts';
import { withPublished } from './published-session.ts';

interface Options {
  readonly published?: true;
  readonly json?: true;
}

export function catalogueListCommand(terminal: Terminal): Command {
  return new Command('list')
    .description('List the catalogues in the store, newest first; a star marks the one in use.')
    .option('--published', 'list those that nodes of the cluster can fetch; a star marks the active one')
    .option('--json', 'print one JSON array')
    .addHelpText(
      'after',
      '\nExamples:\n  larder catalogue list\n  larder catalogue list --json\n  larder catalogue list --published',
    )
    .action(({ published, json }: Options) =>
      published ? listPublished(terminal, json === true) : listCatalogues(terminal, json === true),
    );
}

async function listCatalogues(terminal: Terminal, asJson: boolean): Promise<void> {
  const catalogues = await openOwnCatalogueStore(commandConfig(terminal).config).list();
  const rows = catalogues.map(toCatalogueRow);
  printResult(terminal, asJson, catalogues, rows.length === 0 ? '' : columns([CATALOGUE_HEAD, ...rows]));
  if (rows.length === 0) tell(terminal, 'No catalogue yet; `larder import` makes the first one.\n');
}

function listPublished(terminal: Terminal, asJson: boolean): Promise<void> {
  return withPublished(terminal, async ({ versions }) => {
    const listed = await versions.list();
    const rows = listed.map(toVersionRow);
    printResult(terminal, asJson, listed, rows.length === 0 ? '' : columns([VERSION_HEAD, ...rows]));
    if (rows.length === 0) tell(terminal, 'Nothing is published yet; `larder catalogue publish` does it.\n');
  });
}

const CATALOGUE_HEAD = [' ', 'name', 'made', 'foods', 'size', ''];

function toCatalogueRow({ name, inUse, info, problem }: ListedCatalogue): string[] {
  const mark = inUse ? '*' : ' ';
  if (info === undefined) return [mark, name, '', '', '', `cannot be read: ${problem}`];
  return [mark, name, new Date(info.createdAt).toISOString(), count(info.foods), size(info.bytes), ''];
}

const VERSION_HEAD = [' ', 'name', 'published', 'foods', 'size', 'format'];

function toVersionRow({
  name,
  isActive,
  publishedAtMs,
  foods,
  bytes,
  formatVersion,
}: ListedVersion): string[] {
  const published = new Date(publishedAtMs).toISOString();
  return [isActive ? '*' : ' ', name, published, count(foods), size(bytes), String(formatVersion)];
}
