import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { activateStoredCatalogue } from '../../app/operator/activate-catalogue.ts';
import { count, counted } from '../../base/texts.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import type { CatalogueInfo, CatalogueSegment } from '../../foods/catalogue/catalogue-info.ts';
import {
  loadCatalogueImage,
  readCatalogueInfo,
  verifyFactsSections,
} from '../../foods/catalogue/load-catalogue.ts';
import { verifyCatalogue } from '../../foods/catalogue/verify-catalogue.ts';
import type { ListedCatalogue } from '../../foods/compile/catalogue-store.ts';
import { rebuildCatalogue } from '../../foods/import/rebuild-catalogue.ts';
import type { ListedVersion } from '../../foods/published/catalogue-versions.ts';
import { importDiaryCommand, importFoodsCommand } from '../own-data/import-file.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { chosenFile, openOwnCatalogueStore } from '../terminal/file-arguments.ts';
import { columns, size } from '../terminal/format.ts';
import { openProgress } from '../terminal/progress.ts';
import { printResult, type Terminal, tell } from '../terminal/terminal.ts';
import { interruptible, noSuchVersion, printHowToPublish, withPublished } from './import-session.ts';
import { importCompositionCommand, importTableCommand } from './import-table.ts';
import { importFdcCommand, importOffCommand, importStarterCommand } from './imports.ts';

function catalogueActivateCommand(terminal: Terminal): Command {
  return new Command('activate')
    .description(
      'Switch all nodes of the cluster to a published catalogue. Each node switches when it has fetched the catalogue, ' +
        'without dropping a request.',
    )
    .argument('<name>', 'a name that `larder catalogue list --published` shows')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  larder catalogue activate 20260421-101500-1a2b3c4d')
    .action((name: string, { json }: { json?: true }) =>
      withPublished(terminal, async ({ versions }) => {
        const activation = await versions.activate(name);
        if (activation === undefined) throw noSuchVersion(name);
        printResult(terminal, json, activation, `${name} is active.\n`);
      }),
    );
}

function catalogueRollbackCommand(terminal: Terminal): Command {
  return new Command('rollback')
    .description(
      'Switch all nodes of the cluster back to the catalogue that was active before. Run it again to go back further.',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  larder catalogue rollback')
    .action(({ json }: { json?: true }) =>
      withPublished(terminal, async ({ versions }) => {
        const activation = await versions.rollBack();
        if (activation === undefined) {
          throw new OperatorError(
            'There is no catalogue to go back to: none was active before, or it was removed.',
          );
        }
        printResult(terminal, json, activation, `${activation.name} is active again.\n`);
      }),
    );
}

function catalogueInfoCommand(terminal: Terminal): Command {
  return new Command('info')
    .description('Show what a catalogue contains and which imports it was compiled from.')
    .argument('[name-or-file]', 'name of a stored catalogue, or a path; default: the catalogue in use')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  larder catalogue info\n  larder catalogue info backup.catalogue --json',
    )
    .action(async (choice: string | undefined, { json }: { json?: true }) => {
      const file = await chosenFile(commandConfig(terminal).config, choice);
      const info = await readCatalogueInfo(file);
      printResult(terminal, json, { file, ...info }, toText(file, info));
    });
}

function toText(file: string, info: CatalogueInfo): string {
  const origins = Object.entries(info.origins).map(
    ([origin, { foods, knownProducts }]) =>
      `  ${origin.padEnd(10)} ${counted(foods, 'food')}, ${count(knownProducts)} known`,
  );
  const lines = [
    `file       ${file}`,
    `made       ${new Date(info.createdAt).toISOString()}`,
    `size       ${size(info.bytes)}, format version ${info.formatVersion}, checksum ${info.checksum}`,
    `foods      ${count(info.foods)}`,
    `known      ${counted(info.knownProducts, 'product')} that a barcode look-up can name but not serve`,
    'origins',
    ...origins,
    'compiled from',
    ...info.segments.map(toSegmentLine),
  ];
  return `${lines.join('\n')}\n`;
}

function toSegmentLine({ name, importedAt, foods, sources }: CatalogueSegment): string {
  const from = sources.join(', ');
  return `  ${name}  imported ${new Date(importedAt * 1000).toISOString()}  ${counted(foods, 'food')}  from ${from}`;
}

interface ListOptions {
  readonly published?: true;
  readonly json?: true;
}

function catalogueListCommand(terminal: Terminal): Command {
  return new Command('list')
    .description('List the catalogues in the store, newest first; a star marks the one in use.')
    .option('--published', 'list those that nodes of the cluster can fetch; a star marks the active one')
    .option('--json', 'print one JSON array')
    .addHelpText(
      'after',
      '\nExamples:\n  larder catalogue list\n  larder catalogue list --json\n  larder catalogue list --published',
    )
    .action(({ published, json }: ListOptions) =>
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

interface PublishOptions {
  readonly activate?: true;
  readonly again?: true;
  readonly json?: true;
}

function cataloguePublishCommand(terminal: Terminal): Command {
  return new Command('publish')
    .description(
      'Upload a catalogue to the object store of the cluster, from where all nodes can fetch it. It is not visible before ' +
        'the upload is complete. If an upload was interrupted, run the command again: it continues.',
    )
    .argument('[name-or-file]', 'name of a stored catalogue, or a path; default: the catalogue in use there')
    .option('--activate', 'then switch all nodes to it')
    .option('--again', 'upload every part again, for example after one was damaged in the object store')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  larder catalogue publish --activate\n  larder catalogue publish 20260421-101500-1a2b3c4d',
    )
    .action((choice: string | undefined, options: PublishOptions) => publish(terminal, choice, options));
}

async function publish(
  terminal: Terminal,
  choice: string | undefined,
  options: PublishOptions,
): Promise<void> {
  await withPublished(terminal, async (published) => {
    const file = await chosenFile(commandConfig(terminal).config, choice);
    const progress = openProgress(terminal);
    progress.begin('publish', (await readCatalogueInfo(file)).bytes);
    const { version, sentParts } = await published
      .publish({
        file,
        sendAll: options.again === true,
        onProgress: (doneBytes) => progress.update(doneBytes, 0),
      })
      .finally(() => progress.end());
    const activation = options.activate && (await published.versions.activate(version.name));
    const removed = await published.removeOld().catch((error: Error) => {
      tell(terminal, `What is too old could not be removed, the next time it will be: ${error.message}.\n`);
      return [];
    });
    const { name, bytes, foods, parts } = version;
    const facts = { name, bytes, foods, parts: parts.length, sentParts, activation, removed };
    const what = `${counted(foods, 'food')}, ${size(bytes)}`;
    const done = `${name} is published${activation === undefined ? '' : ' and active'}: ${what}.\n`;
    printResult(terminal, options.json, facts, done);
    if (options.json) return;
    if (activation === undefined)
      tell(terminal, `All nodes answer from it after \`larder catalogue activate ${name}\`.\n`);
    for (const old of removed) tell(terminal, `${old} was removed; it was too old.\n`);
  });
}

function catalogueRebuildCommand(terminal: Terminal): Command {
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

function catalogueUseCommand(terminal: Terminal): Command {
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

function catalogueVerifyCommand(terminal: Terminal): Command {
  return new Command('verify')
    .description('Check every byte and every food of a catalogue: checksums, records, ids and barcodes.')
    .argument('[name-or-file]', 'name of a stored catalogue, or a path; default: the catalogue in use')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  larder catalogue verify\n  larder catalogue verify backup.catalogue',
    )
    .action(async (choice: string | undefined, { json }: { json?: true }) => {
      const file = await chosenFile(commandConfig(terminal).config, choice);
      const catalogue = Catalogue.open(await loadCatalogueImage(file));
      await verifyFactsSections(file);
      const { records, faults, example } = verifyCatalogue(catalogue);
      if (faults > 0) {
        throw new OperatorError(
          `${file}: ${counted(faults, 'fault')} in ${counted(records, 'record')}, for example ${example}.`,
        );
      }
      const { checksum } = catalogue.info;
      printResult(
        terminal,
        json,
        { file, records, checksum },
        `${file} is sound: ${counted(records, 'record')}.\n`,
      );
    });
}

export function catalogueCommand(terminal: Terminal): Command {
  return new Command('catalogue')
    .description('Show, verify, switch, rebuild and publish the compiled catalogues of foods.')
    .addCommand(catalogueInfoCommand(terminal))
    .addCommand(catalogueListCommand(terminal))
    .addCommand(catalogueUseCommand(terminal))
    .addCommand(catalogueRebuildCommand(terminal))
    .addCommand(catalogueVerifyCommand(terminal))
    .addCommand(cataloguePublishCommand(terminal))
    .addCommand(catalogueActivateCommand(terminal))
    .addCommand(catalogueRollbackCommand(terminal));
}

export function importCommand(terminal: Terminal): Command {
  return new Command('import')
    .description(
      'Import foods from public data sets or those that ship with Larder, or the diary and foods of a user.',
    )
    .addCommand(importOffCommand(terminal))
    .addCommand(importFdcCommand(terminal))
    .addCommand(importTableCommand(terminal))
    .addCommand(importCompositionCommand(terminal))
    .addCommand(importStarterCommand(terminal))
    .addCommand(importDiaryCommand(terminal))
    .addCommand(importFoodsCommand(terminal));
}
