import { writeFile } from 'node:fs/promises';
import { OperatorError } from '@larder/core/errors.ts';
import { Command, Option } from 'commander';
import { fileError } from '../../files/file-errors.ts';
import type { RawFood } from '../../foods/import/normalise/raw-food.ts';
import { AMOUNT_BASES, type AmountBasis } from '../../foods/import/table/table-limits.ts';
import {
  describeTable,
  type OpenedTable,
  openTable,
  previewTable,
  tableNameOf,
} from '../../foods/import/table/table-source.ts';
import { print, type Terminal, tell } from '../terminal/terminal.ts';
import { type ImportCommandOptions, importFoods, withImportOptions } from './import-session.ts';

interface TableOptions extends ImportCommandOptions {
  readonly map?: string;
  readonly saveMap?: string;
  readonly per?: AmountBasis;
  readonly name?: string;
  readonly preview?: true;
}

const SHOWN_FOODS = 5;

export function importTableCommand(terminal: Terminal): Command {
  return withImportOptions(new Command('table'))
    .description(
      'Import a table of foods: of a country, of a shop or of your own. Its columns are found by their headings, or stated by a map.',
    )
    .argument('<files...>', 'files of one table: CSV, TSV, XLSX, JSON lines or a JSON list, also with gzip')
    .option('--map <name or file>', 'how the columns are read: the name of a known table, or a file in YAML')
    .option('--save-map <file>', 'write the map that is used to a file, to change it and to use it again')
    .addOption(
      new Option('--per <basis>', 'what the amounts are of, if the table does not say').choices(AMOUNT_BASES),
    )
    .option('--name <name>', 'begins the ids of the foods, by default the name of the file')
    .option('--preview', 'show how the columns are read and the first foods; import nothing')
    .addHelpText(
      'after',
      `
Known tables: ciqual (France), bls (Germany), cofid (United Kingdom), swiss, bda (Italy), nevo (Netherlands), frida (Denmark), norway, cnf (Canada), afcd (Australia).

Examples:
  larder import table "CoFID 2021.xlsx"
  larder import table "FOOD NAME.csv" "NUTRIENT AMOUNT.csv"
  larder import table pantry.xlsx --per serving --save-map pantry.yaml --preview
  larder import table pantry-2027.xlsx --map pantry.yaml --replace`,
    )
    .action((files: readonly string[], options: TableOptions) => importTable(terminal, files, options));
}

/** The national tables by the option that names them, as `import table --map` reads them. */
export function importCompositionCommand(terminal: Terminal): Command {
  return withImportOptions(new Command('composition'))
    .description(
      'Import a national food composition table: Ciqual (France) or BLS (Germany). `import table` reads others, too.',
    )
    .argument('<files...>', 'tables to import: CSV, XLSX or JSON, also with gzip')
    .addOption(
      new Option('--origin <name>', 'which table it is').choices(['ciqual', 'bls']).makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      `
Examples:
  larder import composition ciqual.csv --origin ciqual
  larder import composition bls_2025.json.gz --origin bls --replace`,
    )
    .action(
      (
        files: readonly string[],
        { origin, ...options }: ImportCommandOptions & { readonly origin: string },
      ) => importTable(terminal, files, { ...options, map: origin }),
    );
}

async function importTable(
  terminal: Terminal,
  files: readonly string[],
  options: TableOptions,
): Promise<void> {
  const table = await openTable(files, {
    map: options.map,
    per: options.per,
    name: options.name ?? tableNameOf(files[0]!),
  });
  if (options.saveMap !== undefined) await saveMap(options.saveMap, table);
  if (options.preview) {
    print(terminal, options.json ? `${JSON.stringify(previewJson(table), null, 2)}\n` : previewText(table));
    return;
  }
  tell(terminal, howRead(table));
  const { origin, name } = table.map;
  await importFoods(terminal, origin, options, async () => ({
    ...(origin === 'table' && { table: name }),
    sources: table.sources,
  }));
}

async function saveMap(path: string, { map }: OpenedTable): Promise<void> {
  try {
    await writeFile(path, map.text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new OperatorError(`${path} exists already. Name another file, or use it with --map.`);
    }
    throw fileError(`The map could not be written to ${path}`, error);
  }
}

function howRead({ map, mapIs, unused, notes, per }: OpenedTable): string {
  const kinds = {
    given: 'the given map',
    known: `the map of a known table, ${map.title ?? map.name}`,
    proposed: 'the headings',
  };
  const left =
    unused.length === 0
      ? ''
      : `Not read: ${unused.slice(0, 20).join(', ')}${unused.length > 20 ? ', …' : ''}.\n`;
  return `Columns are read by ${kinds[mapIs]}, amounts per ${per}.\n${left}${notes.map((note) => `${note}\n`).join('')}`;
}

function previewText(table: OpenedTable): string {
  const foods = previewTable(table, SHOWN_FOODS).map((food) => `${foodText(food)}\n`);
  return `${table.map.text}\n${howRead(table)}\nThe first foods:\n${foods.join('')}Nothing was imported.\n`;
}

function previewJson(table: OpenedTable) {
  return { ...describeTable(table), foods: previewTable(table, SHOWN_FOODS) };
}

function foodText({ name, brand, per100, perServing, servings }: RawFood): string {
  const amounts = Object.entries(per100 ?? perServing ?? {}).map(([key, amount]) => `${key} ${amount}`);
  const serving =
    servings?.[0]?.text ??
    (servings === undefined ? undefined : `${servings[0]!.quantity} ${servings[0]!.unit}`);
  const of = per100 === undefined ? `a serving${serving === undefined ? '' : ` (${serving})`}` : '100';
  return `  ${[name, brand].filter((each) => each !== undefined && each !== '').join(', ')}; per ${of}: ${amounts.join(', ') || 'no amounts'}`;
}
