import { Command } from 'commander';
import { OPEN_SOURCE } from '../../app/operator/import-files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  type FetchCommandOptions,
  fetchNewest,
  importFoods,
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
