import { Command, Option } from 'commander';
import { FOOD_BASES, type FoodBasis } from '../../own-data/import-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { EXIT_CODES, type ImportOptions, importFile, withImportOptions } from './import-file.ts';

interface Options extends ImportOptions {
  readonly user?: string;
  readonly per?: FoodBasis;
}

/** `larder import foods`: sends a table of custom foods to a running service. */
export function importFoodsCommand(terminal: Terminal): Command {
  const command = new Command('foods')
    .description(
      'Import a table of custom foods (CSV) into a running service: a food in each row, under headings such as "Name", ' +
        '"kcal" and "Protein (g)" in six languages. A file that is imported again writes nothing twice.',
    )
    .argument('<file>', 'a table with commas, semicolons or tabs')
    .option('--user <id>', "whose foods they become; shared by all users of the key's tenant when left out")
    .addOption(
      new Option('--per <amount>', 'what the amounts are in, where the headings do not say it').choices(
        FOOD_BASES,
      ),
    );
  return withImportOptions(command, 'the scope foods:write')
    .addHelpText(
      'after',
      `
${EXIT_CODES}

Examples:
  larder import foods family.csv --preview
  larder import foods family.csv --user ann --per serving`,
    )
    .action((file: string, options: Options) => {
      const { user: userId, per } = options;
      return importFile(terminal, file, options, (larder, part, preview) =>
        larder.foods.import(part, { userId, per, preview }),
      );
    });
}
