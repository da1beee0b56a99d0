import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** Folder of the real names, next to the repository; absent on most machines. */
const DATA = new URL('../../../shared/data/', import.meta.url);

export function hasRealData(): boolean {
  return existsSync(DATA);
}

export function realDataPath(path: string): string {
  return fileURLToPath(new URL(path, DATA));
}

/** The text of a file, unpacked when it is a `.gz`. */
export function readData(path: string): string {
  const bytes = readFileSync(new URL(path, DATA));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** One column of a tab-separated file, without its header. */
export function tsvColumn(text: string, column: number): string[] {
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t')[column] ?? '');
}

/** The rows of a comma-separated file with quotes, by column name. */
export function csvRows(text: string): Record<string, string>[] {
  const rows = csvCells(text);
  const header = rows.shift() ?? [];
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

function csvCells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /("(?:[^"]|"")*"|[^",\n\r]*)(,|\r?\n|$)/g;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) break;
    const value = match[1]!;
    row.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (match[2] !== ',') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

/** Names and brands to make items of; random combinations of words if there is no real data. */
export function namesAndBrands(): { readonly names: readonly string[]; readonly brands: readonly string[] } {
  if (!hasRealData()) return inventedNames();
  const products = tsvColumn(readData('off/products_2019.tsv.gz'), 1);
  const tables = ['fdc/sr_legacy/food.csv', 'fdc/survey/food.csv', 'fdc/branded/food.csv.gz'];
  const foods = tables.flatMap((path) => csvRows(readData(path)).map((row) => row['description'] ?? ''));
  const branded = csvRows(readData('fdc/branded/branded_food.csv.gz'));
  const brands = branded.map((row) => row['brand_name'] || row['brand_owner'] || '');
  return { names: plausible([...products, ...foods]), brands: mostFrequentFirst(plausible(brands)) };
}

function plausible(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text.length >= 3 && text.length <= 120);
}

function mostFrequentFirst(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value);
}

const SYLLABLES =
  'ba be bi bo cha che co cra da de fi fla ga go gru ka ko la le li lo ma me mi na ni no o pa pe pi pro ra re ri ro sa se si so ta te ti to va ve vi'.split(
    ' ',
  );

function inventedNames() {
  const words = Array.from({ length: 120_000 }, (_, index) => inventedWord(index));
  const names = Array.from({ length: 400_000 }, (_, index) => {
    let name = words[(index * 7919) % 1500]!;
    for (let word = 0; word < 1 + (index % 6); word++)
      name += ` ${words[(index * 31 + word * 104_729) % words.length]}`;
    return name;
  });
  return { names, brands: words.slice(2000, 12_000) };
}

function inventedWord(index: number): string {
  let word = '';
  for (let rest = index + 60; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length];
  }
  return word;
}
