import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What adults ate at one occasion, for texts. */
export const USUAL_PORTIONS = join(
  import.meta.dirname,
  '../../packages/text/src/parse/grams/usual-portions.json',
);
const SOURCE =
  'NHANES What We Eat in America 2007-2010 (CDC/NCHS and USDA, public domain), adults, one occasion; groups of FNDDS 2021-2023';
const QUANTILES = ['p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95'] as const;
const OF_ADDITIONS = ['p10', 'p25', 'p50', 'p75', 'p90'] as const;
/** From this `sure` on a row is of the food itself; below it only of its group. */
const OF_FOOD = 2;
const PREFIX = 'starter:';

/** What a size stands for, among the amounts of a food. */
const SIZES = { miniature: 'p10', small: 'p25', large: 'p75' } as const;

type Row = Readonly<Record<string, string>>;

/**
 * The text of `usual-portions.json` by the tables `foods.tsv`, `groups.tsv` and `additions.tsv` of `folder`, which their
 * README describes. `foods` have the quantiles of a food, or the key of its group.
 */
export function usualPortionsJson(folder: string): string {
  const groups = new Map(rowsOf(folder, 'groups.tsv').map((row) => [row['key']!, row]));
  const foods: [string, string][] = [];
  const used = new Set<string>();
  for (const row of rowsOf(folder, 'foods.tsv')) {
    const key = row['key']!.replace(PREFIX, '');
    const group = row['group']!;
    if (Number(row['sure']) >= OF_FOOD) foods.push([key, numbersOf(row, QUANTILES)]);
    else if (groups.has(group)) {
      used.add(group);
      foods.push([key, group]);
    }
  }
  const additions = rowsOf(folder, 'additions.tsv').map(
    (row) => [row['host']!, row['addition']!, numbersOf(row, OF_ADDITIONS)] as const,
  );
  const shares = foods.flatMap(([, row]) => (row.includes(' ') ? [row.split(' ').map(Number)] : []));
  const table = {
    source: SOURCE,
    sizes: Object.fromEntries(
      Object.entries(SIZES).map(([size, quantile]) => [size, medianShare(shares, quantile)]),
    ),
    groups: Object.fromEntries([...used].sort().map((key) => [key, numbersOf(groups.get(key)!, QUANTILES)])),
    additions: Object.fromEntries(
      [...Map.groupBy(additions, ([host]) => host)].map(([host, rows]) => [
        host,
        Object.fromEntries(rows.map(([, addition, numbers]) => [addition, numbers])),
      ]),
    ),
    foods: Object.fromEntries(foods.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  return `${JSON.stringify(table, undefined, 1)}\n`;
}

/** The median, over foods, of a quantile as a share of the median amount. */
function medianShare(rows: readonly (readonly number[])[], quantile: (typeof QUANTILES)[number]): number {
  const [at, middle] = [QUANTILES.indexOf(quantile), QUANTILES.indexOf('p50')];
  const sorted = rows.map((row) => row[at]! / row[middle]!).sort((a, b) => a - b);
  return Math.round(100 * sorted[Math.floor(sorted.length / 2)]!) / 100;
}

function numbersOf(row: Row, columns: readonly string[]): string {
  return columns.map((column) => row[column]!).join(' ');
}

function rowsOf(folder: string, file: string): Row[] {
  const [head, ...lines] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
  const columns = head!.split('\t');
  return lines.map((line) => {
    const fields = line.split('\t');
    return Object.fromEntries(columns.map((column, at) => [column, fields[at] ?? '']));
  });
}
