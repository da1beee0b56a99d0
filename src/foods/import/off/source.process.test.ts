import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ImportReport } from '../import-report.ts';
import { normalise } from '../normalise/normalise.ts';
import { inspectSourceFile } from '../readers/source-file.ts';
import { countOffParquet } from './parquet-file.ts';
import { openSlice, type SliceFilter } from './slice.ts';
import { readOffFile } from './source.ts';

const REAL = fileURLToPath(new URL('../../../../../shared/data/off', import.meta.url));
const SKIPPED = existsSync(REAL) ? '' : ` (skipped: ${REAL} is not there)`;

async function read(name: string, filter?: SliceFilter) {
  const report = new ImportReport();
  const foods = new Map<string, { name: string; per100: object }>();
  const sink = {
    food(raw: Parameters<typeof normalise>[0]) {
      const normalised = normalise(raw, 1_750_000_000);
      const example = () => raw.key;
      if (normalised.kind === 'known') report.known(normalised.reason, example);
      else if (normalised.kind === 'skipped') report.skipped(normalised.reason, example);
      else {
        report.food(normalised.mended, example);
        if (foods.size < 2_000) foods.set(raw.key, normalised.food);
      }
    },
    skipped: (reason: string, example: string) => report.skipped(reason, () => example),
    broken: (where: string, reason: string, text: string) => report.broken(where, reason, text),
    noticed: (reason: string, text: string) => report.noticed(reason, text),
  };
  await readOffFile(await inspectSourceFile(join(REAL, name)), sink, { filter });
  const json = report.toJson({ origin: 'off', files: [name], startedAt: '', seconds: 0 });
  expect(json.read).toBe(
    json.kept + json.merged.count + json.known.count + json.skipped.count + json.broken.count,
  );
  return { json, foods };
}

describe.skipIf(SKIPPED !== '')(`real exports of Open Food Facts${SKIPPED}`, () => {
  test.each([
    ['off_official_100.jsonl.gz', 100, 93],
    ['off_official_head1000.csv.gz', 1_000, 180],
    ['off_official_head1000.parquet', 1_000, 930],
    ['products_2019.tsv.gz', 573_798, 480_000],
  ])('%s: all products are read, none is broken, most are kept', async (name, products, atLeast) => {
    const { json } = await read(name);
    expect([json.read, json.broken.count]).toEqual([products, 0]);
    expect(json.kept).toBeGreaterThanOrEqual(atLeast);
  });

  test('a table without nutrients is reported, an older one with nutrients is not', async () => {
    const shares = await Promise.all(
      ['off_official_head1000.csv.gz', 'products_2019.tsv.gz'].map(
        async (name) => (await read(name)).json.noticed.reasons,
      ),
    );
    expect(shares).toEqual([
      [expect.objectContaining({ example: expect.stringMatching(/: [78]\d % of 1,000 rows have none$/) })],
      [],
    ]);
  });

  test.each([{ countries: ['fr'] }, { languages: ['fr'] }, { countries: ['fr', 'us'], popular: 1 }])(
    'as many products of %o are counted before as are read, equally in every format that tells it',
    async (slice) => {
      const filter = openSlice(slice);
      const file = 'off_official_head1000.parquet';
      const { json } = await read(file, filter);
      const outside = json.skipped.reasons.filter(({ reason }) => reason !== 'no name');
      const left = outside.reduce((sum, { count }) => sum + count, 0);
      expect(await countOffParquet(await inspectSourceFile(join(REAL, file)), filter, {})).toEqual({
        products: 1_000,
        chosen: 1_000 - left,
      });
      expect(left).toBeGreaterThan(10);
      const lines = await read('off_official_100.jsonl.gz', filter);
      const columns = await read(file, filter);
      for (const key of lines.foods.keys()) expect([undefined, key]).toContain(columns.foods.get(key) && key);
      expect(lines.json.kept).toBeGreaterThan(10);
    },
  );

  test('the test covers every file of the folder', () => {
    expect(readdirSync(REAL)).toHaveLength(4);
  });

  test('one product is equal in every format', async () => {
    const names = [
      'off_official_100.jsonl.gz',
      'off_official_head1000.csv.gz',
      'off_official_head1000.parquet',
    ];
    const [json, csv, parquet] = await Promise.all(names.map(async (name) => (await read(name)).foods));
    let compared = 0;
    for (const [key, food] of json!) {
      const others = [csv!.get(key), parquet!.get(key)].filter((other) => other !== undefined);
      for (const other of others) {
        expect(other.name).toBe(food.name);
        // If a label states a serving, CSV has only rounded values per 100.
        expect(other.per100).toMatchObject({
          energy: expect.closeTo((food.per100 as { energy: number }).energy, 0),
        });
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(100);
  });
});
