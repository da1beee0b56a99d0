import { Command } from 'commander';
import type { ListedCatalogue } from '../../catalogue/compile/catalogue-store.ts';
import type { ListedVersion } from '../../catalogue/published/published-versions.ts';
import { readConfig } from '../../config/config.ts';
import { openOwnCatalogueStore } from '../terminal/file-arguments.ts';
import { megabytes } from '../terminal/format.ts';
import type { Terminal } from '../terminal/terminal.ts';
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

async function listCatalogues({ env, out, err }: Terminal, asJson: boolean): Promise<void> {
  const catalogues = await openOwnCatalogueStore(readConfig(env)).list();
  if (asJson) out.write(`${JSON.stringify(catalogues)}\n`);
  else for (const catalogue of catalogues) out.write(`${toCatalogueLine(catalogue)}\n`);
  if (catalogues.length === 0) err.write('No catalogue yet; `larder import` makes the first one.\n');
}

function listPublished(terminal: Terminal, asJson: boolean): Promise<void> {
  return withPublished(terminal, async ({ versions }) => {
    const listed = await versions.list();
    if (asJson) terminal.out.write(`${JSON.stringify(listed)}\n`);
    else for (const version of listed) terminal.out.write(`${toVersionLine(version)}\n`);
    if (listed.length === 0)
      terminal.err.write('Nothing is published yet; `larder catalogue publish` does it.\n');
  });
}

function toCatalogueLine({ name, inUse, info, problem }: ListedCatalogue): string {
  const what =
    info === undefined
      ? `cannot be read: ${problem}`
      : `${new Date(info.createdAt).toISOString()}  ${info.foods} foods  ${megabytes(info.bytes)}`;
  return `${inUse ? '*' : ' '} ${name}  ${what}`;
}

function toVersionLine({
  name,
  isActive,
  publishedAtMs,
  foods,
  bytes,
  formatVersion,
}: ListedVersion): string {
  const what = `published ${new Date(publishedAtMs).toISOString()}  ${foods} foods  ${megabytes(bytes)}`;
  return `${isActive ? '*' : ' '} ${name}  ${what}  format ${formatVersion}`;
}
