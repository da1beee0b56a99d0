import { OperatorError } from '@larder/core/errors.ts';
import type { RawFoodSink } from '../normalise/raw-food.ts';
import { DelimitedReader } from '../readers/delimited.ts';
import type { DelimitedRow } from '../readers/delimited-fields.ts';
import { type ReadOptions, truncatedFile } from '../readers/source-file.ts';
import { asUtf8 } from '../readers/utf8.ts';
import { type Bundle, type BundleFile, findFile } from './bundle.ts';

/** The tables that are read; a download has dozens. */
export const CSV_TABLES = [
  'food.csv',
  'food_nutrient.csv',
  'measure_unit.csv',
  'food_category.csv',
  'wweia_food_category.csv',
  'food_portion.csv',
  'food_attribute.csv',
  'branded_food.csv',
  'survey_fndds_food.csv',
] as const;
export type CsvTable = (typeof CSV_TABLES)[number];

/** The consequence of a missing table. */
export type Presence = 'needed' | 'expected' | 'optional';

export interface TableRows<Column extends string> {
  readonly presence: Presence;
  /** The table is rejected if one of these columns is missing. */
  readonly required: readonly Column[];
  readonly optional?: readonly Column[];
  readonly onRow: (row: DelimitedRow<Column>) => void;
  /** Called for unreadable rows; by default they are noticed. */
  readonly onBroken?: (where: string, reason: string, example: string) => void;
}

export interface CsvTablesOptions {
  readonly bundle: Bundle;
  readonly sink: RawFoodSink;
  /** `onBytesRead` counts over all tables, up to `csvBundleBytes`. */
  readonly options: ReadOptions;
}

/** The tables of one bundle. Columns are found by name. */
export class CsvTables {
  readonly #bundle: Bundle;
  readonly #sink: RawFoodSink;
  readonly #options: ReadOptions;
  #bytesOfTablesDone = 0;

  constructor({ bundle, sink, options }: CsvTablesOptions) {
    this.#bundle = bundle;
    this.#sink = sink;
    this.#options = options;
  }

  /** Reads one whole table. Throws an `OperatorError` if a needed table is missing, empty or has other columns. */
  async read<Column extends string>(name: CsvTable, rows: TableRows<Column>): Promise<void> {
    const file = this.#find(name, rows.presence);
    if (file === undefined) return;
    const noticeBroken = (where: string, reason: string, example: string) =>
      this.#sink.noticed(`a row of ${name} cannot be read: ${reason}`, `${where}: ${example}`);
    let hasHeader = false;
    const reader = new DelimitedReader<Column>({
      delimiter: ',',
      quoted: true,
      columns: [...rows.required, ...(rows.optional ?? [])],
      onHeader: (columns) => {
        hasHeader = true;
        this.#requireColumns(name, rows.required, columns);
      },
      onRow: rows.onRow,
      onBroken: (line, reason, example) =>
        (rows.onBroken ?? noticeBroken)(`${name}:${line}`, reason, example),
    });
    const bytesBefore = this.#bytesOfTablesDone;
    const options: ReadOptions = {
      ...this.#options,
      onBytesRead: (bytesRead) => this.#options.onBytesRead?.(bytesBefore + bytesRead),
    };
    for await (const chunk of asUtf8(name, file.read(options), this.#sink)) reader.push(chunk);
    if (!reader.end()) throw truncatedFile(`${name} in ${this.#bundle.path}`);
    if (!hasHeader) throw new OperatorError(`${name} in ${this.#bundle.path} is empty. Get it again.`);
    this.#bytesOfTablesDone += file.sizeBytes;
  }

  #find(name: CsvTable, presence: Presence): BundleFile | undefined {
    const file = findFile(this.#bundle, name);
    if (file === undefined && presence === 'needed') {
      throw new OperatorError(
        `${this.#bundle.path} lacks ${name}. ` +
          'A FoodData Central bundle is the folder or the .zip with all CSV files of a download.',
      );
    }
    if (file === undefined && presence === 'expected') {
      this.#sink.noticed(`${name} is missing`, this.#bundle.path);
    }
    return file;
  }

  #requireColumns(name: CsvTable, required: readonly string[], columns: readonly string[]): void {
    const missing = required.filter((column) => !columns.includes(column));
    if (missing.length === 0) return;
    throw new OperatorError(
      `${name} in ${this.#bundle.path} has no column ${missing.join(', ')}. ` +
        'Is it the CSV form of a FoodData Central download?',
    );
  }
}
