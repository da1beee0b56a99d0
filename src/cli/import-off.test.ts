import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { loadCatalogueImage } from '../catalogue/catalogue-image.ts';
import { toFoodId } from '../catalogue/food.ts';
import type { ImportReportJson } from '../catalogue/import/import-report.ts';
import { openShelf, STARTER } from '../compose/shelf.ts';
import { readConfig } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { createProgram } from './program.ts';

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  const temp = tempFolder();
  folder = temp.path;
  env = { LARDER_DATA_DIR: join(folder, 'data') };
  return () => temp[Symbol.dispose]();
});

async function larder(...words: string[]): Promise<string> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  await createProgram({ env, out, err }).parseAsync(['node', 'larder', ...words]);
  return out.setEncoding('utf8').read() ?? '';
}

type Printed = ImportReportJson & { catalogue: { name: string; foods: number; inUse: boolean } };

/** Without the foods that ship with Larder, so that few are to be counted. */
const importOff = (...words: string[]) => importInto(...words, '--no-starter');

async function importInto(...words: string[]): Promise<Printed> {
  const report = JSON.parse(await larder('import', 'off', ...words, '--json')) as Printed;
  const { kept, merged, known, skipped, broken } = report;
  expect(report.read).toBe(kept + merged.count + known.count + skipped.count + broken.count);
  return report;
}

const current = () => openShelf(readConfig(env)).current();

function write(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const OLD_SCHEMA = {
  code: '4006381333931',
  product_name: 'Oat &amp; honey bar',
  brands: 'Acme,Other',
  serving_size: '1 bar (50 g)',
  serving_quantity: '50',
  nutriments: {
    'energy-kcal_serving': 200,
    proteins_serving: 5,
    fat_serving: 10,
    carbohydrates_serving: 22.5,
    sodium_serving: 0.1,
  },
};
const NEW_SCHEMA = {
  code: '96385074',
  product_name: 'Oat drink',
  schema_version: 1003,
  nutriments: {},
  nutrition: {
    input_sets: [{ source: 'estimate', nutrients: { fat: { value: 99, unit: 'g' } } }],
    aggregated_set: {
      per: '100ml',
      preparation: 'as_sold',
      nutrients: {
        'energy-kj': { value: 209.2, unit: 'kJ' },
        proteins: { value: 1000, unit: 'mg' },
        fat: { value: 2, unit: 'g' },
        carbohydrates: { value: 7, unit: 'g' },
        iron: { value: 9, unit: 'g', source: 'estimate' },
      },
    },
  },
};
const NAMED_ONLY = { code: '3017620422003', product_name: 'Hazelnut spread' };
const jsonl = (...products: object[]) => products.map((product) => `${JSON.stringify(product)}\n`).join('');

const TABLE = [
  'code\tproduct_name\tbrands\tenergy-kcal_100g\tproteins_100g\tfat_100g\tcarbohydrates_100g',
  '4006381333931\tOat "bar"\tAcme\t400\t10\t20\t45',
  '96385074\tOat drink\t\t50\t1\t2\t7',
  'too\tshort',
  '\tNo code\t\t50\t1\t2\t7',
].join('\n');

describe('what is imported', () => {
  test('JSON lines in both schemas, plain and gzipped, several files at once', async () => {
    const plain = write('a.jsonl', jsonl(OLD_SCHEMA, NAMED_ONLY));
    const gzipped = write('b', gzipSync(jsonl(NEW_SCHEMA)));
    const report = await importOff(plain, gzipped);
    expect(report).toMatchObject({ read: 3, kept: 2, known: { count: 1 }, files: ['a.jsonl', 'b'] });
    expect(report.mended.reasons.map(({ reason }) => reason)).toEqual([
      'name with HTML entities decoded',
      'values per serving scaled to 100',
    ]);
    expect(report.catalogue).toMatchObject({ foods: 2, inUse: true });
    expect(await current()).toBe(report.catalogue.name);
  });

  test('a table; a broken line is counted and named', async () => {
    const { kept, broken } = await importOff(write('table.csv', TABLE));
    expect(kept).toBe(2);
    expect(broken.reasons).toEqual([
      { reason: 'too few columns', count: 1, example: 'table.csv:4: too\tshort' },
      { reason: 'a row without a code', count: 1, example: 'table.csv:5: No code' },
    ]);
  });

  test('a table that another program saved with commas and quotes', async () => {
    const csv = TABLE.replaceAll('"', '""').replaceAll('\t', '","').replaceAll('\n', '"\r\n"');
    expect(await importOff(write('table.csv', `\uFEFF"${csv}"`))).toMatchObject({ kept: 2 });
  });

  test('the headers of the extract of 2019, whose energy follows from the rest', async () => {
    const table =
      'barcode_id\tproduct_name\tfat_amount\tcarbohydrate\tprotein\n4006381333931\tBar\t20\t45\t10\n';
    const { kept, mended } = await importOff(write('extract.tsv', table));
    expect([kept, mended.reasons[0]?.reason]).toEqual([1, 'energy derived by 4-4-9 arithmetic']);
  });

  test('broken lines of JSON are counted and named', async () => {
    const lines = `${jsonl(OLD_SCHEMA)}{"code":\n[1]\n{"code":"","a":1}\n{"code":1,"brands":tru}\n${jsonl(NEW_SCHEMA)}`;
    const { kept, broken } = await importOff(write('a.jsonl', lines));
    expect([kept, broken.count]).toEqual([2, 4]);
    expect(broken.reasons[0]).toMatchObject({ count: 3, example: 'a.jsonl:2: {"code":' });
  });
});

describe('imports one after the other', () => {
  test('the same product again replaces the older one and is kept', async () => {
    const file = write('a.jsonl', jsonl(OLD_SCHEMA, NEW_SCHEMA));
    await importOff(file);
    expect(await importOff(file)).toMatchObject({ read: 2, kept: 2, catalogue: { foods: 2 } });
  });

  test('a product that is twice in a file is merged', async () => {
    const report = await importOff(write('a.jsonl', jsonl(OLD_SCHEMA, NEW_SCHEMA, OLD_SCHEMA)));
    expect(report).toMatchObject({ read: 3, kept: 2, merged: { count: 1 }, catalogue: { foods: 2 } });
  });

  test('a product without numbers does not take the place of one that has them', async () => {
    await importOff(write('a.jsonl', jsonl(OLD_SCHEMA)));
    const { nutriments: _, ...bare } = OLD_SCHEMA;
    expect(await importOff(write('b.jsonl', jsonl(bare)))).toMatchObject({
      read: 1,
      known: { count: 1 },
      catalogue: { foods: 1 },
    });
  });

  test('--replace drops what earlier imports of the source brought', async () => {
    await importOff(write('a.jsonl', jsonl(OLD_SCHEMA)));
    expect(await importOff(write('b.jsonl', jsonl(NEW_SCHEMA)))).toMatchObject({ catalogue: { foods: 2 } });
    const replaced = await importOff(write('c.jsonl', jsonl(NEW_SCHEMA)), '--replace');
    expect(replaced).toMatchObject({ catalogue: { foods: 1 } });
  });

  test('--keep-current leaves the catalogue in use, and the new one can be put in use later', async () => {
    const first = await importOff(write('a.jsonl', jsonl(OLD_SCHEMA)));
    const second = await importOff(write('b.jsonl', jsonl(NEW_SCHEMA)), '--keep-current');
    expect(second.catalogue.inUse).toBe(false);
    expect(await current()).toBe(first.catalogue.name);
    await larder('catalogue', 'use', second.catalogue.name);
    expect(await importOff(write('c.jsonl', jsonl(NAMED_ONLY)))).toMatchObject({ catalogue: { foods: 2 } });
  });

  test('the report is written to a file and shown as text', async () => {
    const file = join(folder, 'report.json');
    const text = await larder('import', 'off', write('a.jsonl', jsonl(OLD_SCHEMA)), '--report', file);
    expect(text).toMatch(/read +1 +in/);
    expect(text).toContain('for example 4006381333931 Oat &amp; honey bar');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ origin: 'off', read: 1, kept: 1 });
  });
});

describe('into an empty data folder', () => {
  const SHIPPED = Array.from(STARTER.foods).length;
  const inUse = async () => {
    const shelf = openShelf(readConfig(env));
    return Catalogue.open(await loadCatalogueImage(shelf.pathOf((await shelf.current())!)));
  };

  test('an import brings the foods that ship with Larder, once, and no later one drops them', async () => {
    const first = await importInto(write('a.jsonl', jsonl(OLD_SCHEMA)));
    expect(first).toMatchObject({ read: 1, kept: 1, catalogue: { foods: SHIPPED + 1, inUse: true } });
    const second = await importInto(write('b.jsonl', jsonl(NEW_SCHEMA)), '--replace');
    expect(second).toMatchObject({ read: 1, kept: 1, catalogue: { foods: SHIPPED + 1 } });
    const catalogue = await inUse();
    expect(catalogue.info.segments.map(({ origin }) => origin)).toEqual(['starter', 'off']);
    for (const { id } of STARTER.foods) expect(catalogue.findById(id)?.id).toBe(id);
  });

  test('a product that ships with Larder is one food, found by either id', async () => {
    const shipped = Array.from(STARTER.foods).find(({ barcode }) => barcode !== undefined)!;
    await importInto(write('a.jsonl', jsonl({ ...OLD_SCHEMA, code: shipped.barcode })));
    const catalogue = await inUse();
    expect(catalogue.info.foods).toBe(SHIPPED);
    const found = catalogue.findById(shipped.id);
    expect(found).toBeDefined();
    expect(catalogue.findById(toFoodId('off', shipped.barcode!))).toEqual(found);
  });

  test('--no-starter brings what is imported alone, and it is said how', async () => {
    const err = new PassThrough();
    const program = createProgram({ env, out: new PassThrough(), err });
    const words = ['import', 'off', write('a.jsonl', jsonl(OLD_SCHEMA))];
    await program.parseAsync(['node', 'larder', ...words]);
    expect(err.setEncoding('utf8').read()).toContain('`--no-starter` leaves them out');
    env['LARDER_DATA_DIR'] = join(folder, 'other');
    expect(await importInto(...words.slice(2), '--no-starter')).toMatchObject({ catalogue: { foods: 1 } });
    expect(await importInto(...words.slice(2))).toMatchObject({ catalogue: { foods: 1 } });
  });

  test('what is only put on the shelf has them, too', async () => {
    const kept = await importInto(write('a.jsonl', jsonl(OLD_SCHEMA)), '--keep-current');
    expect(kept.catalogue).toMatchObject({ foods: SHIPPED + 1, inUse: false });
    expect(await current()).toBeUndefined();
  });

  test('an import that fails leaves it empty', async () => {
    await expect(importInto(write('x', `${TABLE.split('\n')[0]}\n`))).rejects.toThrow(/hold no products/);
    expect(await current()).toBeUndefined();
    expect(readdirSync(join(folder, 'data', 'segments'))).toEqual([]);
  });
});

describe('what goes wrong leaves the catalogue in use and nothing else', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => ({ ...OLD_SCHEMA, code: String(at * 7_919) }));
  const foundation = () => `{"FoundationFoods": [${'{"code": 1}, '.repeat(10_000)}{}]}`;
  const truncated = () => gzipSync(jsonl(...many)).subarray(0, -100);

  test.each<[string, () => string, RegExp]>([
    ['a missing file', () => join(folder, 'none'), /does not exist/],
    ['a folder', () => folder, /is a folder/],
    ['an empty file', () => write('x', ''), /is empty/],
    ['a file of another kind', () => write('x', Buffer.of(0, 1, 2, 3)), /holds binary data/],
    ['other JSON', () => write('x', '{"FoundationFoods": []}'), /larder import fdc/],
    ['a table with other columns', () => write('x', 'a,b\n1,2\n'), /"code", "product_name"/],
    ['damaged Parquet', () => write('x', 'PAR1 and no more'), /damaged or incomplete Parquet/],
    ['truncated gzip', () => write('x', truncated()), /ends in the middle/],
    [
      'another source in one long line',
      () => write('x', foundation()),
      /Nothing could be made.*without a code/,
    ],
    ['a table without rows', () => write('x', `${TABLE.split('\n')[0]}\n`), /hold no products/],
  ])('%s', async (_, file, message) => {
    const before = await importOff(write('good.jsonl', jsonl(OLD_SCHEMA)));
    const files = () => readdirSync(join(folder, 'data'), { recursive: true }).toSorted();
    const filesBefore = files();
    const failure = await larder('import', 'off', file()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect((failure as Error).message).toMatch(message);
    expect(await current()).toBe(before.catalogue.name);
    expect(files()).toEqual(filesBefore);
  });

  test.skipIf(!existsSync('/dev/full'))(
    'a report that cannot be written is an error after the import',
    async () => {
      const words = ['import', 'off', write('a.jsonl', jsonl(OLD_SCHEMA)), '--report', '/dev/full'];
      await expect(larder(...words)).rejects.toThrow(/The import is done, but its report/);
      expect(await current()).toBeDefined();
    },
  );

  test('Ctrl-C ends the import with exit code 1 and clears away what it began', async () => {
    const rows = Array.from({ length: 400_000 }, (_, at) => `${at}\tFood ${at}\t\t400\t10\t20\t45`);
    const table = write('big.csv', `${TABLE.split('\n')[0]}\n${rows.join('\n')}\n`);
    const main = new URL('../main.ts', import.meta.url).pathname;
    const segments = join(folder, 'data', 'segments');
    // From within, so that the signal comes before the import is over however busy the machine is.
    const interrupting = write(
      'interrupt.mjs',
      `import { existsSync, readdirSync } from 'node:fs';
      const timer = setInterval(() => {
        if (!existsSync(${JSON.stringify(segments)}) || readdirSync(${JSON.stringify(segments)}).length === 0) return;
        clearInterval(timer);
        process.kill(process.pid, 'SIGINT');
      }, 1);`,
    );
    const child = spawn(process.execPath, ['--import', interrupting, main, 'import', 'off', table], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [said, [code]] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
    expect([code, said]).toEqual([1, expect.stringContaining('The import was interrupted')]);
    expect(readdirSync(segments)).toEqual([]);
    expect(await current()).toBeUndefined();
  });
});

test.each([
  ['missing', (segment: string) => rmSync(segment)],
  ['damaged', (segment: string) => truncateSync(segment, 100)],
  ['no segment', (segment: string) => truncateSync(segment, 0)],
])('a segment that is %s stops imports that need it, and is made anew as they say', async (_what, harm) => {
  const file = write('products.jsonl', JSON.stringify(OLD_SCHEMA));
  const { catalogue } = await importOff(file);
  const segments = join(folder, 'data', 'segments');
  harm(join(segments, readdirSync(segments)[0]!));
  await expect(importOff(file)).rejects.toThrow(/Import its source again with --replace/);
  expect(await current()).toBe(catalogue.name);
  expect((await importOff(file, '--replace')).catalogue).toMatchObject({ foods: 1, inUse: true });
});

test.each([
  ['JSON lines', jsonl(OLD_SCHEMA, NEW_SCHEMA).slice(0, -20)],
  ['a table', TABLE.slice(0, -20)],
  ['a table with quotes', `${TABLE.replaceAll('\t', ',')}\n"1`],
])('%s that break off in a line leave the catalogue as it is', async (_form, content) => {
  const { catalogue } = await importOff(write('a.jsonl', jsonl(OLD_SCHEMA)));
  await expect(importOff(write('b.jsonl', content), '--replace')).rejects.toThrow(
    /ends in the middle of a line/,
  );
  expect(await current()).toBe(catalogue.name);
  expect((await importOff(write('c.jsonl', `${jsonl(NEW_SCHEMA)}the end`))).broken.count).toBe(1);
});
