import { OperatorError } from '../../../errors.ts';
import type { RawFoodSink, RawNutrients } from '../normalise/raw-food.ts';
import { DelimitedReader } from '../readers/delimited.ts';
import type { DelimitedRow } from '../readers/delimited-fields.ts';
import { cutOff, type ReadOptions, readSourceFile, type SourceFile } from '../readers/source-file.ts';
import { toRawFood } from './food.ts';
import { OFF_NUTRIENT_NAMES, setOffNutrient } from './nutrients.ts';

/** Nutrient columns of a header and their nutrients. All masses are in g. */
type NutrientColumns = ReadonlyArray<readonly [column: string, nutrient: string]>;

const OFFICIAL_NUTRIENTS: NutrientColumns = OFF_NUTRIENT_NAMES.map((name) => [`${name}_100g`, name]);

/** Headers of a reduced extract of 2019: per 100 g, without energy. */
const EXTRACT_NUTRIENTS: NutrientColumns = [
  ['protein', 'proteins'],
  ['fat_amount', 'fat'],
  ['carbohydrate', 'carbohydrates'],
  ['dietary_fiber', 'fiber'],
  ['sugar', 'sugars'],
  ['saturated_fats', 'saturated-fat'],
  ['salt', 'salt'],
  ['sodium', 'sodium'],
];

const DESCRIPTIONS = [
  'product_name',
  'abbreviated_product_name',
  'generic_name',
  'quantity',
  'brands',
  'brand_owner',
  'serving_size',
  'serving_quantity',
  'unique_scans_n',
  'created_t',
  'last_modified_t',
] as const;

interface Header {
  readonly code: string;
  readonly nutrients: NutrientColumns;
}
const HEADERS: readonly Header[] = [
  { code: 'code', nutrients: OFFICIAL_NUTRIENTS },
  { code: 'barcode_id', nutrients: EXTRACT_NUTRIENTS },
];

/** Reads the tab-separated export (unquoted), and comma-separated versions with quotes. */
export async function readOffCsv(file: SourceFile, sink: RawFoodSink, options: ReadOptions): Promise<void> {
  const names = headerNames(file);
  const header = findHeader(file, names);
  const isTabbed = isTabSeparated(file);
  const nutrients = header.nutrients.filter(([column]) => names.includes(column));
  const reader = new DelimitedReader<string>({
    delimiter: isTabbed ? '\t' : ',',
    quoted: !isTabbed,
    columns: [header.code, ...DESCRIPTIONS, ...nutrients.map(([column]) => column)],
    onRow: (row) => readRow(row, header.code, nutrients, file, sink),
    onBroken: (line, reason, example) => sink.broken(`${file.name}:${line}`, reason, example),
  });
  for await (const chunk of readSourceFile(file, options.onBytesRead, options.signal)) reader.push(chunk);
  if (!reader.end()) throw cutOff(file.path);
}

function readRow(
  row: DelimitedRow<string>,
  codeColumn: string,
  nutrients: NutrientColumns,
  file: SourceFile,
  sink: RawFoodSink,
): void {
  const code = row.text(codeColumn).trim();
  if (code === '') {
    sink.broken(`${file.name}:${row.line}`, 'a row without a code', row.text('product_name'));
    return;
  }
  const per100: RawNutrients = {};
  for (const [column, nutrient] of nutrients) setOffNutrient(per100, nutrient, row.number(column));
  sink.food(
    toRawFood({
      code,
      name: row.text('product_name') || row.text('abbreviated_product_name'),
      genericName: row.text('generic_name'),
      brands: row.text('brands') || row.text('brand_owner'),
      quantity: row.text('quantity'),
      servingText: row.text('serving_size'),
      servingQuantity: row.number('serving_quantity'),
      servingUnit: '',
      per100,
      scans: row.number('unique_scans_n'),
      createdAt: row.number('created_t'),
      updatedAt: row.number('last_modified_t'),
    }),
  );
}

function headerLine(file: SourceFile): string {
  const lineEnd = file.head.indexOf(0x0a);
  return file.head
    .toString('utf8', 0, lineEnd === -1 ? file.head.length : lineEnd)
    .replace(/^\uFEFF|\r$/g, '');
}

function isTabSeparated(file: SourceFile): boolean {
  return headerLine(file).includes('\t');
}

function headerNames(file: SourceFile): readonly string[] {
  const line = headerLine(file);
  return line.split(isTabSeparated(file) ? '\t' : ',').map((name) => name.replace(/^"|"$/g, ''));
}

function findHeader(file: SourceFile, names: readonly string[]): Header {
  const header = HEADERS.find(
    ({ code, nutrients }) =>
      names.includes(code) &&
      names.includes('product_name') &&
      nutrients.some(([column]) => names.includes(column)),
  );
  if (header !== undefined) return header;
  throw new OperatorError(
    `${file.path} is no table of Open Food Facts: its first line must name the columns "code", "product_name" and ` +
      'nutrients such as "energy-kcal_100g", "proteins_100g", "fat_100g" and "carbohydrates_100g", parted by tabs. ' +
      `It begins with ${JSON.stringify(names.join(', ').slice(0, 120))}.`,
  );
}
