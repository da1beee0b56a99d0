import { Command, Option } from 'commander';
import {
  DATE_ORDERS,
  type DateOrder,
  IMPORT_FORMATS,
  type ImportFormat,
} from '../../own-data/import-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { EXIT_CODES, type ImportOptions, importFile, withImportOptions } from './import-file.ts';

interface Options extends ImportOptions {
  readonly user: string;
  readonly format?: ImportFormat;
  readonly dateOrder?: DateOrder;
  readonly timeZone?: string;
}

/** `larder import diary`: sends a file with the data of a user to a running service. */
export function importDiaryCommand(terminal: Terminal): Command {
  const command = new Command('diary')
    .description(
      'Import the diary of a user into a running service: an export of Larder, or the CSV export of MyFitnessPal, ' +
        'Cronometer, FatSecret, SparkyFitness or OpenNutriTracker. A file that is imported again writes nothing twice.',
    )
    .argument('<file>', 'the exported file')
    .requiredOption('--user <id>', 'the user, as the app names them')
    .addOption(
      new Option('--format <name>', 'what the file is; recognized when left out').choices(IMPORT_FORMATS),
    )
    .addOption(
      new Option(
        '--date-order <order>',
        'which number of a date stands first, where the file leaves it open',
      ).choices(DATE_ORDERS),
    )
    .option('--time-zone <name>', 'whose clock the times of the file are read on, such as Europe/Berlin');
  return withImportOptions(command, 'the scopes diary:write and foods:write')
    .addHelpText(
      'after',
      `
${EXIT_CODES}

Examples:
  larder import diary servings.csv --user ann --preview
  larder import diary servings.csv --user ann --time-zone Europe/Berlin
  larder import diary larder-export.jsonl --user ann --url https://food.example.org`,
    )
    .action((file: string, options: Options) => {
      const { user, format, dateOrder, timeZone } = options;
      return importFile(terminal, file, options, (larder, part, preview) =>
        larder.user(user).import(part, { format, dateOrder, timeZone, preview }),
      );
    });
}
