import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { checkDigit } from '@larder/core/gtin.ts';

const REAL = new URL('../../../shared/data/off/', import.meta.url);
const PRODUCT_BYTES = 20_000;
const BUFFER_CHARS = 4 * 1024 * 1024;

export interface Generated {
  readonly file: string;
  readonly from: 'real rows' | 'made-up rows';
}

/**
 * A tab-separated export of this many products: the rows of a real one, repeated with new codes. With names only those that state the nutrients of
 * complete foods are, each with one of the names.
 */
export function generateCsv(file: string, rows: number, names: readonly string[] = []): Generated {
  const real = readReal('off_official_head1000.csv.gz');
  const [header = '', ...lines] = (real ?? madeUpCsv()).split('\n').filter((line) => line !== '');
  const required = NUTRIENTS.slice(0, 4).map((name) => header.split('\t').indexOf(name));
  const isComplete = (line: string) => required.every((at) => line.split('\t')[at] !== '');
  const templates = names.length === 0 ? lines : lines.filter(isComplete);
  const nameAt = header.split('\t').indexOf('product_name');
  writeLines(file, rows, (row) => {
    if (row === -1) return header;
    const line = templates[row % templates.length]!;
    const named = names.length === 0 ? line : withField(line, nameAt, names[row % names.length]!);
    return codeOf(row) + named.slice(named.indexOf('\t'));
  });
  return { file, from: real === undefined ? 'made-up rows' : 'real rows' };
}

function withField(line: string, at: number, value: string): string {
  return line.split('\t').with(at, value).join('\t');
}

/** JSON lines of full size, 20 KB each as in the complete export. */
export function generateJsonl(file: string, products: number): Generated {
  const real = readReal('off_official_100.jsonl.gz');
  const templates = (real ?? madeUpJsonl())
    .split('\n')
    .filter((line) => line !== '')
    .map(fullSize);
  writeLines(file, products, (row) => {
    if (row === -1) return undefined;
    const { before, after } = templates[row % templates.length]!;
    return before + codeOf(row) + after;
  });
  return { file, from: real === undefined ? 'made-up rows' : 'real rows' };
}

/** `write` gets row -1 first, for a header. */
function writeLines(file: string, rows: number, write: (row: number) => string | undefined): void {
  const fd = openSync(file, 'w');
  let buffer = '';
  for (let row = -1; row < rows; row++) {
    const line = write(row);
    if (line !== undefined) buffer += `${line}\n`;
    if (buffer.length < BUFFER_CHARS && row < rows - 1) continue;
    writeSync(fd, buffer);
    buffer = '';
  }
  closeSync(fd);
}

export function codeOf(row: number): string {
  const digits = String(300_000_000_000 + row);
  return digits + checkDigit(digits);
}

/** Pads a product to full size, with its code separate. */
function fullSize(line: string): { before: string; after: string } {
  const missing = Math.max(0, PRODUCT_BYTES - Buffer.byteLength(line));
  const tag = '"en:packaging-photo-to-be-selected",';
  const filler = `"states_hierarchy_more":[${tag.repeat(Math.floor(missing / tag.length))}""],`;
  const filled = `{${filler}${line.slice(1)}`;
  const code = /"code":"\d*"/.exec(filled)!;
  const at = code.index + '"code":"'.length;
  return { before: filled.slice(0, at), after: filled.slice(code.index + code[0].length - 1) };
}

function readReal(name: string): string | undefined {
  const path = new URL(name, REAL);
  return existsSync(path) ? gunzipSync(readFileSync(path)).toString('utf8') : undefined;
}

const NUTRIENTS = ['energy_100g', 'fat_100g', 'carbohydrates_100g', 'proteins_100g', 'salt_100g'];
const COLUMNS = 210;

function madeUpCsv(): string {
  const names = ['code', 'product_name', 'brands', 'serving_size', 'quantity', ...NUTRIENTS];
  const filler = Array.from({ length: COLUMNS - names.length }, (_, index) => `column_${index}`);
  const rows = Array.from({ length: 200 }, (_, row) => [
    '0',
    `Made-up product ${row}`,
    `Maker ${row % 7}`,
    row % 3 === 0 ? '1 bar (45 g)' : '',
    '350 g',
    String(1_500 + row),
    '12.5',
    '48.3',
    '7.1',
    '0.52',
    ...filler.map((_, index) => (index % 4 === 0 ? 'en:to-be-completed,en:nutrition-facts-completed' : '')),
  ]);
  return [[...names, ...filler], ...rows].map((fields) => fields.join('\t')).join('\n');
}

function madeUpJsonl(): string {
  return Array.from({ length: 100 }, (_, row) => {
    const nutrients = {
      'energy-kcal': { value: 400 + row, unit: 'kcal' },
      fat: { value: 12.5, unit: 'g' },
      carbohydrates: { value: 60, unit: 'g' },
      proteins: { value: 7.1, unit: 'g' },
    };
    const flat = { 'energy-kcal_100g': 410, fat_100g: 12.5, carbohydrates_100g: 60, proteins_100g: 7.1 };
    const numbers =
      row % 2 === 0
        ? {
            nutriments: {},
            nutrition: { aggregated_set: { per: '100g', preparation: 'as_sold', nutrients } },
          }
        : { nutriments: flat };
    return JSON.stringify({ product_name: `Made-up product ${row}`, ...numbers, code: '0', brands: 'Maker' });
  }).join('\n');
}
