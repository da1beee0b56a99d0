import { OperatorError } from '@larder/core/errors.ts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { OPEN_SOURCE, openOffUpdate } from '../../app/operator/import-files.ts';
import { type OffSlice, openSlice } from '../../foods/import/off/slice.ts';
import { type Terminal, tell } from '../terminal/terminal.ts';
import {
  type FetchCommandOptions,
  fetchNewest,
  importFoods,
  withFetchOptions,
  withImportOptions,
} from './import-session.ts';

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
