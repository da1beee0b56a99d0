import { writeFile } from 'node:fs/promises';
import { OperatorError } from '@larder/core/errors.ts';
import type { Origin } from '@larder/core/food.ts';
import { type Command, Option } from 'commander';
import { openCatalogueStore, STARTER } from '../../app/catalogue-store.ts';
import { readExternalFoods } from '../../app/foods.ts';
import { openPublished } from '../../app/open-published.ts';
import { type ImportFiles, type NewestExport, openNewestExport } from '../../app/operator/import-files.ts';
import { counted } from '../../base/texts.ts';
import type { Config } from '../../config/config.ts';
import { fileError } from '../../files/file-errors.ts';
import type { CatalogueStore } from '../../foods/compile/catalogue-store.ts';
import { formatImportReport } from '../../foods/import/import-report.ts';
import { type ImportResult, runImport } from '../../foods/import/import-run.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { openProgress, type ProgressReporter } from '../terminal/progress.ts';
import { print, type Terminal, tell } from '../terminal/terminal.ts';

export interface ImportCommandOptions {
  readonly replace?: true;
  readonly report?: string;
  readonly json?: true;
  readonly keepCurrent?: true;
  readonly facts?: 'all' | 'none';
  /** False with `--no-starter`. */
  readonly starter: boolean;
}

/** The options that all imports share. */
export function withImportOptions(command: Command): Command {
  return command
    .option('--replace', 'remove the foods of earlier imports of this source')
    .option('--keep-current', 'store the new catalogue but do not switch to it; `larder catalogue use` does')
    .option(
      '--no-starter',
      'in an empty data folder, import these foods only, without those that ship with Larder',
    )
    .option('--report <file>', 'also write the report to a file, as JSON')
    .option('--json', 'print the report as JSON');
}

export interface FetchCommandOptions extends ImportCommandOptions {
  readonly add?: true;
  readonly keepDownload?: true;
}

/** Options of an import that can download its files, besides those of `withImportOptions`. */
export function withFetchOptions(command: Command): Command {
  return command
    .option('--add', 'keep the foods of earlier imports; a downloaded export otherwise replaces them')
    .option('--keep-download', 'keep the downloaded export after the import')
    .addOption(
      new Option(
        '--facts <which>',
        'facts beside nutrients, such as ingredients and allergens: all, or none to save disk',
      )
        .choices(['all', 'none'])
        .default('all'),
    );
}

interface FetchNewest extends Pick<NewestExport, 'config' | 'origin' | 'filter'> {
  readonly terminal: Terminal;
  readonly progress: ProgressReporter;
}

/** Downloads the newest complete export of a source, and reports problems meanwhile. */
export function fetchNewest({ terminal, ...newest }: FetchNewest): Promise<ImportFiles> {
  return openNewestExport({ ...newest, onTrouble: (message) => tell(terminal, `${message}\n`) });
}

/**
 * Runs one import, from its files to the report. The first Ctrl-C aborts and cleans up; a second one ends the
 * program.
 */
export async function importFoods(
  terminal: Terminal,
  origin: Origin,
  options: FetchCommandOptions,
  openFiles: (config: Config, progress: ProgressReporter, store: CatalogueStore) => Promise<ImportFiles>,
): Promise<void> {
  const { config } = commandConfig(terminal);
  const catalogueStore = openCatalogueStore(config);
  const progress = openProgress(terminal);
  const { sources, slice, table, fetched, isWhole } = await openFiles(config, progress, catalogueStore);
  const result = await interruptible((signal) =>
    runImport({
      origin,
      table,
      sources,
      slice,
      catalogueStore,
      facts: options.facts !== 'none',
      replace: options.replace ?? (isWhole === true && options.add !== true),
      putInUse: options.keepCurrent !== true,
      externalFoods: readExternalFoods(config),
      // A service that starts with an empty folder adds them, but not after an import.
      firstFoods: options.starter ? STARTER : undefined,
      progress,
      nowMs: Date.now,
      signal,
    }),
  ).catch((error) => {
    if (fetched !== undefined)
      tell(
        terminal,
        `The download is kept in ${fetched.file} for the next run; delete it if it is at fault.\n`,
      );
    throw error;
  });
  if (options.keepDownload !== true) await fetched?.remove();
  await showReport(terminal, catalogueStore, result, options);
  printHowToPublish(terminal, config, result.catalogue);
}

export function printHowToPublish({ err }: Terminal, { mode }: Config, catalogue: string): void {
  if (mode === 'cluster')
    tell({ err }, `Nodes answer from it after \`larder catalogue publish ${catalogue} --activate\`.\n`);
}

export function printCatalogue(
  { err }: Terminal,
  { catalogue, foods }: Pick<ImportResult, 'catalogue' | 'foods'>,
  isInUse: boolean,
): void {
  tell(
    { err },
    `Catalogue ${catalogue} with ${counted(foods, 'food')} is ` +
      `${isInUse ? 'in use' : `in the catalogue store; \`larder catalogue use ${catalogue}\` puts it in use`}.\n`,
  );
}

/** Runs work on a catalogue. The first Ctrl-C aborts it and cleans up; a second one ends the program. */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  what = 'The import',
): Promise<T> {
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  for (const signal of INTERRUPTS) process.once(signal, onInterrupt);
  try {
    return await work(interrupt.signal);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new OperatorError(`${what} was interrupted. The catalogue in use did not change.`, {
      cause: error,
    });
  } finally {
    for (const signal of INTERRUPTS) process.off(signal, onInterrupt);
  }
}

const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const;

async function showReport(
  terminal: Terminal,
  catalogueStore: CatalogueStore,
  result: ImportResult,
  { json, report: reportFile }: ImportCommandOptions,
): Promise<void> {
  const { report, catalogue, foods, hasFirstFoods } = result;
  const isInUse = (await catalogueStore.current()) === catalogue;
  const printed = `${JSON.stringify({ ...report, catalogue: { name: catalogue, foods, inUse: isInUse } }, null, 2)}\n`;
  print(terminal, json ? printed : formatImportReport(report));
  printCatalogue(terminal, result, isInUse);
  if (hasFirstFoods) {
    tell(terminal, 'It has the foods that ship with Larder, too; `--no-starter` leaves them out.\n');
  }
  if (reportFile === undefined) return;
  try {
    await writeFile(reportFile, printed);
  } catch (error) {
    throw fileError(`The import is done, but its report could not be written to ${reportFile}`, error);
  }
}

type Published = Awaited<ReturnType<typeof openPublished>>;

/** Opens the published catalogues of the configured cluster for one command. */
export async function withPublished(
  terminal: Terminal,
  use: (published: Published) => Promise<void>,
): Promise<void> {
  const { config } = commandConfig(terminal);
  if (config.mode !== 'cluster') {
    throw new OperatorError(
      'Only a cluster has published catalogues, and no settings of a cluster are set (docs/cluster.md). A single service ' +
        'switches to each import by itself; `larder catalogue use NAME` switches to another catalogue.',
    );
  }
  const published = await openPublished(config);
  try {
    await use(published);
  } finally {
    await published.close();
  }
}

export function noSuchVersion(name: string): OperatorError {
  return new OperatorError(
    `No catalogue ${JSON.stringify(name)} is published; \`larder catalogue list --published\` shows those that are.`,
  );
}
