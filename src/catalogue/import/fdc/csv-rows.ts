import { OperatorError } from '../../../errors.ts';
import { DelimitedReader } from '../delimited.ts';
import type { DelimitedRow } from '../delimited-fields.ts';
import type { BundleFile } from './bundle.ts';

export interface CsvRows<Column extends string> {
  readonly file: BundleFile;
  /** For messages: where the file lies. */
  readonly bundlePath: string;
  /** The file is refused if one of these is missing. */
  readonly required: readonly Column[];
  readonly optional?: readonly Column[];
  readonly onRow: (row: DelimitedRow<Column>) => void;
  readonly onBroken: (where: string, reason: string, example: string) => void;
  readonly onBytesRead: (bytesRead: number) => void;
}

/** Reads one CSV file of a bundle, row by row. Columns are found by name, whatever their order. */
export async function readCsvRows<Column extends string>({
  file,
  bundlePath,
  required,
  optional = [],
  onRow,
  onBroken,
  onBytesRead,
}: CsvRows<Column>): Promise<void> {
  let hasHeader = false;
  const reader = new DelimitedReader<Column>({
    delimiter: ',',
    quoted: true,
    columns: [...required, ...optional],
    onHeader: (names) => {
      hasHeader = true;
      const missing = required.filter((column) => !names.includes(column));
      if (missing.length > 0) {
        throw new OperatorError(
          `${file.name} in ${bundlePath} has no column ${missing.join(', ')}. ` +
            'Is it the CSV form of a FoodData Central download?',
        );
      }
    },
    onRow,
    onBroken: (line, reason, example) => onBroken(`${file.name}:${line}`, reason, example),
  });
  for await (const chunk of file.read(onBytesRead)) reader.push(chunk);
  reader.end();
  if (!hasHeader) throw new OperatorError(`${file.name} in ${bundlePath} is empty. Get it again.`);
}
