import { OperatorError } from '@larder/core/errors.ts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { openCatalogueStore, STARTER } from '../../app/catalogue-store.ts';
import { OPEN_SOURCE, openOffUpdate } from '../../app/operator/import-files.ts';
import { replaceFoods } from '../../foods/import/complete-foods.ts';
import { type OffSlice, openSlice } from '../../foods/import/off/slice.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { openProgress } from '../terminal/progress.ts';
import { print, type Terminal, tell } from '../terminal/terminal.ts';
import {
  type FetchCommandOptions,
  fetchNewest,
  importFoods,
  interruptible,
  printCatalogue,
  printHowToPublish,
  withFetchOptions,
  withImportOptions,
} from './import-session.ts';

export function importFdcCommand(terminal: Terminal): Command {
  return withFetchOptions(withImportOptions(new Command('fdc')))
    .description('Import downloads of USDA FoodData Central: CSV as a folder or .zip, or JSON files.')
    .argument(
      '[paths...]',
      'folders, .zip or .json files to import, in this order; default: the newest full export, which is downloaded',
    )
    .addHelpText(
      'after',
      `
Examples:
  larder import fdc
  larder import fdc FoodData_Central_csv_2026-04-30.zip
  larder import fdc sr_legacy/ survey/ foundationDownload.json
  larder import fdc --keep-download --report report.json`,
    )
    .action((paths: readonly string[], options: FetchCommandOptions) =>
      importFoods(terminal, 'fdc', options, async (config, progress) =>
        paths.length > 0
          ? { sources: await Promise.all(paths.map((path) => OPEN_SOURCE.fdc(path))) }
          : fetchNewest({ terminal, config, origin: 'fdc', progress }),
      ),
    );
}

type Options = FetchCommandOptions & OffSlice & { readonly update?: true };

export function importOffCommand(terminal: Terminal): Command {
  return withFetchOptions(withImportOptions(new Command('off')))
    .description(
      'Import exports of Open Food Facts: all products, those of a country or of a search, plain or gzip.',
    )
    .argument(
      '[files...]',
      'exports to import, in this order; default: the newest full export, which is downloaded',
    )
    .addOption(
      new Option('--countries <codes>', 'only products sold there, for example de,at,ch').argParser(codes),
    )
    .addOption(
      new Option('--languages <codes>', 'only products named in one of them, for example de,fr').argParser(
        codes,
      ),
    )
    .addOption(
      new Option('--popular <people>', 'only products that so many people scanned within a year').argParser(
        parsePeople,
      ),
    )
    .option(
      '--update',
      'only what changed since the last import, of the same part; Open Food Facts lists it for two weeks',
    )
    .addHelpText(
      'after',
      `
Examples:
  larder import off
  larder import off --countries de,at,ch
  larder import off openfoodfacts-products.jsonl.gz
  larder import off food.parquet --replace --report report.json
  larder import off monday.jsonl tuesday.jsonl --keep-current`,
    )
    .action((files: readonly string[], options: Options) => {
      const slice = sliceOf(options);
      const filter = slice && openSlice(slice);
      if (options.update && (filter !== undefined || files.length > 0))
        throw new OperatorError(
          '`--update` downloads, and takes the part that was imported; leave the rest out.',
        );
      return importFoods(terminal, 'off', options, async (config, progress, store) =>
        options.update
          ? openOffUpdate(store, { config, progress, onTrouble: (message) => tell(terminal, `${message}\n`) })
          : files.length > 0
            ? { sources: await Promise.all(files.map((file) => OPEN_SOURCE.off(file, filter))), slice }
            : fetchNewest({ terminal, config, origin: 'off', progress, filter }),
      );
    });
}

function codes(text: string): readonly string[] {
  return text.split(',').map((code) => code.trim().toLowerCase());
}

function parsePeople(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number from 1.');
}

function sliceOf({ countries, languages, popular }: OffSlice): OffSlice | undefined {
  const slice = {
    ...(countries && { countries }),
    ...(languages && { languages }),
    ...(popular && { popular }),
  };
  return Object.keys(slice).length === 0 ? undefined : slice;
}

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
