import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { toFoodId } from '@larder/core/food.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { ImportFolder } from '../../../test/support/import-folder.ts';
import { startLocalServer } from '../../../test/support/local-server.ts';
import { jsonl, NAMED_ONLY, NEW_SCHEMA, OLD_SCHEMA, TABLE } from '../../../test/support/off-products.ts';
import { runLarder } from '../../../test/support/run-larder.ts';
import { openCatalogueStore, STARTER } from '../../app/catalogue-store.ts';
import { readConfig } from '../../config/config.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../foods/catalogue/load-catalogue.ts';
import { createProgram } from '../program.ts';

let imports: ImportFolder;
beforeEach(() => {
  imports = new ImportFolder();
  return () => imports[Symbol.dispose]();
});

describe('accepted formats', () => {
  test('JSON lines in both schemas, plain and gzipped, several files at once', async () => {
    const plain = imports.write('a.jsonl', jsonl(OLD_SCHEMA, NAMED_ONLY));
    const gzipped = imports.write('b', gzipSync(jsonl(NEW_SCHEMA)));
    const report = await imports.importAlone(plain, gzipped);
    expect(report).toMatchObject({ read: 3, kept: 2, known: { count: 1 }, files: ['a.jsonl', 'b'] });
    expect(report.mended.reasons.map(({ reason }) => reason)).toEqual([
      'name with HTML entities decoded',
      'values per serving scaled to 100',
    ]);
    expect(report.catalogue).toMatchObject({ foods: 2, inUse: true });
    expect(await imports.current()).toBe(report.catalogue.name);
  });

  test('a table, whose broken line is counted and named', async () => {
    const { kept, broken } = await imports.importAlone(imports.write('table.csv', TABLE));
    expect(kept).toBe(2);
    expect(broken.reasons).toEqual([
      { reason: 'too few columns', count: 1, example: 'table.csv:4: too\tshort' },
      { reason: 'a row without a code', count: 1, example: 'table.csv:5: No code' },
    ]);
  });

  test('a table saved by another program with commas and quotes', async () => {
    const csv = TABLE.replaceAll('"', '""').replaceAll('\t', '","').replaceAll('\n', '"\r\n"');
    expect(await imports.importAlone(imports.write('table.csv', `\uFEFF"${csv}"`))).toMatchObject({
      kept: 2,
    });
  });

  test('the headers of the extract of 2019, whose energy is derived', async () => {
    const table =
      'barcode_id\tproduct_name\tfat_amount\tcarbohydrate\tprotein\n4006381333931\tBar\t20\t45\t10\n';
    const { kept, mended } = await imports.importAlone(imports.write('extract.tsv', table));
    expect([kept, mended.reasons[0]?.reason]).toEqual([1, 'energy derived by 4-4-9 arithmetic']);
  });

  test('broken lines of JSON are counted and named', async () => {
    const lines = `${jsonl(OLD_SCHEMA)}{"code":\n[1]\n{"code":"","a":1}\n{"code":1,"brands":tru}\n${jsonl(NEW_SCHEMA)}`;
    const { kept, broken } = await imports.importAlone(imports.write('a.jsonl', lines));
    expect([kept, broken.count]).toEqual([2, 4]);
    expect(broken.reasons[0]).toMatchObject({ count: 3, example: 'a.jsonl:2: {"code":' });
  });
});

describe('a table without nutrients', () => {
  const [header = '', product = ''] = TABLE.split('\n');
  const bare = (code: number) =>
    [
      `${code}`,
      'Bare',
      ...header
        .split('\t')
        .slice(2)
        .map(() => ''),
    ].join('\t');
  const importRows = (...rows: string[]) =>
    imports.importAlone(imports.write('table.csv', `${[header, ...rows].join('\n')}\n`));

  test('is reported at the end, with the share of rows and the place of the nutrients', async () => {
    const { noticed } = await importRows(product, bare(1), bare(2));
    expect(noticed.reasons).toEqual([
      {
        reason:
          'a table of which most rows have no nutrients: import JSON lines or Parquet instead, which have them',
        count: 1,
        example: 'table.csv: 66 % of 3 rows have none',
      },
    ]);
  });

  test('is not assumed if half of the rows have nutrients', async () => {
    expect((await importRows(product, bare(1))).noticed.count).toBe(0);
  });
});

async function inUse() {
  const catalogueStore = openCatalogueStore(readConfig(imports.env));
  return Catalogue.open(await loadCatalogueImage(catalogueStore.pathOf((await catalogueStore.current())!)));
}

describe('a table in another encoding', () => {
  const [header = '', product = ''] = TABLE.split('\n');
  const [code = '', name = '', ...values] = product.split('\t');
  const table = (called: string) => `${header}\n${[code, called, ...values].join('\t')}\n`;

  test.each<[string, (text: string) => Buffer]>([
    ['UTF-8', (text) => Buffer.from(text)],
    ['Windows-1252', (text) => Buffer.from(text, 'latin1')],
    ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-8 encoded twice', (text) => Buffer.from(Buffer.from(text).toString('latin1'))],
    ['UTF-8 with a NUL', (text) => Buffer.from(text.replace('br\u00fbl', 'br\0\u00fbl'))],
  ])('%s is read', async (_, encoded) => {
    expect(name).not.toBe('');
    const file = imports.write('table.csv', encoded(table('Cr\u00e8me br\u00fbl\u00e9e')));
    const { read, kept } = await imports.importAlone(file);
    expect([read, kept]).toEqual([1, 1]);
    const catalogue = await inUse();
    expect(catalogue.search('br\u00fbl\u00e9e', 1)[0]?.name).toBe('Cr\u00e8me br\u00fbl\u00e9e');
  });
});

describe('successive imports', () => {
  test('a product imported again replaces the older one', async () => {
    const file = imports.write('a.jsonl', jsonl(OLD_SCHEMA, NEW_SCHEMA));
    await imports.importAlone(file);
    expect(await imports.importAlone(file)).toMatchObject({ read: 2, kept: 2, catalogue: { foods: 2 } });
  });

  test('a product that occurs twice in a file is merged', async () => {
    const report = await imports.importAlone(
      imports.write('a.jsonl', jsonl(OLD_SCHEMA, NEW_SCHEMA, OLD_SCHEMA)),
    );
    expect(report).toMatchObject({ read: 3, kept: 2, merged: { count: 1 }, catalogue: { foods: 2 } });
  });

  test('a product without nutrients does not replace one with nutrients', async () => {
    await imports.importAlone(imports.write('a.jsonl', jsonl(OLD_SCHEMA)));
    const { nutriments: _, ...bare } = OLD_SCHEMA;
    expect(await imports.importAlone(imports.write('b.jsonl', jsonl(bare)))).toMatchObject({
      read: 1,
      known: { count: 1 },
      catalogue: { foods: 1 },
    });
  });

  test('--replace drops earlier imports of the source', async () => {
    await imports.importAlone(imports.write('a.jsonl', jsonl(OLD_SCHEMA)));
    expect(await imports.importAlone(imports.write('b.jsonl', jsonl(NEW_SCHEMA)))).toMatchObject({
      catalogue: { foods: 2 },
    });
    const replaced = await imports.importAlone(imports.write('c.jsonl', jsonl(NEW_SCHEMA)), '--replace');
    expect(replaced).toMatchObject({ catalogue: { foods: 1 } });
  });

  test('--keep-current keeps the catalogue in use, and the new one can be activated later', async () => {
    const first = await imports.importAlone(imports.write('a.jsonl', jsonl(OLD_SCHEMA)));
    const second = await imports.importAlone(imports.write('b.jsonl', jsonl(NEW_SCHEMA)), '--keep-current');
    expect(second.catalogue.inUse).toBe(false);
    expect(await imports.current()).toBe(first.catalogue.name);
    await runLarder(imports.env, 'catalogue', 'use', second.catalogue.name);
    expect(await imports.importAlone(imports.write('c.jsonl', jsonl(NAMED_ONLY)))).toMatchObject({
      catalogue: { foods: 2 },
    });
  });

  test('the report is written to a file and printed as text', async () => {
    const file = join(imports.path, 'report.json');
    const text = await runLarder(
      imports.env,
      'import',
      'off',
      imports.write('a.jsonl', jsonl(OLD_SCHEMA)),
      '--report',
      file,
    );
    expect(text).toMatch(/read +1 +in/);
    expect(text).toContain('for example 4006381333931 Oat &amp; honey bar');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ origin: 'off', read: 1, kept: 1 });
  });
});

describe('into an empty data folder', () => {
  const SHIPPED = Array.from(STARTER.foods).length;

  test('an import adds the shipped foods once, and no later one drops them', async () => {
    const first = await imports.importOff(imports.write('a.jsonl', jsonl(OLD_SCHEMA)));
    expect(first).toMatchObject({ read: 1, kept: 1, catalogue: { foods: SHIPPED + 1, inUse: true } });
    const second = await imports.importOff(imports.write('b.jsonl', jsonl(NEW_SCHEMA)), '--replace');
    expect(second).toMatchObject({ read: 1, kept: 1, catalogue: { foods: SHIPPED + 1 } });
    const catalogue = await inUse();
    expect(catalogue.info.segments.map(({ origin }) => origin)).toEqual(['starter', 'off']);
    for (const { id } of STARTER.foods) expect(catalogue.findById(id)?.id).toBe(id);
  });

  test('a product that ships with Larder is one food, found by either id', async () => {
    const shipped = Array.from(STARTER.foods).find(({ barcode }) => barcode !== undefined)!;
    await imports.importOff(imports.write('a.jsonl', jsonl({ ...OLD_SCHEMA, code: shipped.barcode })));
    const catalogue = await inUse();
    expect(catalogue.info.foods).toBe(SHIPPED);
    const found = catalogue.findById(shipped.id);
    expect(found).toBeDefined();
    expect(catalogue.findById(toFoodId('off', shipped.barcode!))).toEqual(found);
  });

  test('--no-starter adds the import alone, and the output says how to add the others', async () => {
    const err = new PassThrough();
    const program = await createProgram({ env: imports.env, out: new PassThrough(), err });
    const words = ['import', 'off', imports.write('a.jsonl', jsonl(OLD_SCHEMA))];
    await program.parseAsync(['node', 'larder', ...words]);
    expect(err.setEncoding('utf8').read()).toContain('`--no-starter` leaves them out');
    imports.env['LARDER_DATA_DIR'] = join(imports.path, 'other');
    expect(await imports.importOff(...words.slice(2), '--no-starter')).toMatchObject({
      catalogue: { foods: 1 },
    });
    expect(await imports.importOff(...words.slice(2))).toMatchObject({ catalogue: { foods: 1 } });
  });

  test('a catalogue that is only stored contains them too', async () => {
    const kept = await imports.importOff(imports.write('a.jsonl', jsonl(OLD_SCHEMA)), '--keep-current');
    expect(kept.catalogue).toMatchObject({ foods: SHIPPED + 1, inUse: false });
    expect(await imports.current()).toBeUndefined();
  });

  test('a failed import leaves the folder empty', async () => {
    await expect(imports.importOff(imports.write('x', `${TABLE.split('\n')[0]}\n`))).rejects.toThrow(
      /contain no products/,
    );
    expect(await imports.current()).toBeUndefined();
    expect(readdirSync(join(imports.path, 'data', 'segments'))).toEqual([]);
  });
});

describe('a part of the products', () => {
  const sold = { ...OLD_SCHEMA, countries_tags: ['en:germany', 'en:france'], lc: 'fr', unique_scans_n: 4 };
  const other = { ...NEW_SCHEMA, countries_tags: ['en:spain'], languages_codes: { es: 3, de: 1 } };
  const [header = '', bar = '', drink = ''] = TABLE.split('\n');
  const table = `${header}\tcountries_tags\tunique_scans_n\n${bar}\ten:germany,en:france\t4\n${drink}\ten:spain\t\n`;

  test.each([
    ['JSON lines', 'a.jsonl', jsonl(sold, other)],
    ['a list', 'a.json', JSON.stringify([sold, other])],
    ['a table', 'a.csv', table],
  ])('is chosen of %s by countries, languages and scans', async (what, name, content) => {
    const file = imports.write(name, content);
    const kept = async (...words: string[]) => {
      const { read, skipped } = await imports.importAlone(file, '--replace', ...words);
      const catalogue = await inUse();
      expect([read, catalogue.info.foods]).toEqual([2, 1]);
      expect(skipped.count).toBe(1);
      return catalogue.search('oat', 5)[0]?.barcode;
    };
    expect(await kept('--countries', 'AT, de')).toBe('4006381333931');
    expect(await kept('--countries', 'es')).toBe('96385074');
    expect(await kept('--popular', '4')).toBe('4006381333931');
    if (what !== 'a table') expect(await kept('--languages', 'de')).toBe('96385074');
  });

  test('is said before it is read, as far as the file tells', async () => {
    const err = new PassThrough();
    const program = await createProgram({ env: imports.env, out: new PassThrough(), err });
    const file = imports.write('a.jsonl', jsonl(sold, other));
    await program.parseAsync(['node', 'larder', 'import', 'off', file, '--countries', 'de']);
    expect(err.setEncoding('utf8').read()).toContain(
      'Reading a.jsonl (a part of the 1 MB on the disk that all of it would take)',
    );
  });

  test('a file that does not tell where its products are sold is refused', async () => {
    const file = imports.write('table.csv', TABLE);
    await expect(imports.importAlone(file, '--countries', 'de')).rejects.toThrow(
      'does not tell the countries of its products',
    );
    await expect(imports.importAlone(file, '--popular', '0')).rejects.toThrow('whole number');
    expect(await imports.current()).toBeUndefined();
  });
});

describe('an update', () => {
  const DAY = 86_400;
  const now = Math.floor(Date.now() / 1_000);
  const product = (code: string, name: string, country: string) => ({
    ...OLD_SCHEMA,
    ...{ code, product_name: name, countries_tags: [country] },
  });
  /** A list of changes whose oldest is `days` old, with one file for each day. */
  async function openChanges(days: number, newest: object[]) {
    const names = Array.from({ length: days }, (_, day) => {
      const to = now - day * DAY;
      return `openfoodfacts_products_${to - DAY}_${to}.json.gz`;
    });
    const asked: string[] = [];
    const server = await startLocalServer((request, response) => {
      const name = request.url!.slice(1);
      asked.push(name);
      if (name === 'index.txt') response.end(`${names.join('\n')}\n`);
      else if (name === names[0]) response.end(gzipSync(jsonl(...newest)));
      else response.end(gzipSync(jsonl(product('96385074', 'Old drink', 'en:germany'))));
    });
    imports.env['LARDER_OFF_DELTA_URL'] = `${server.base}/index.txt`;
    return { asked, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  }

  test('adds what changed since the last import, of the same part, and deletes what it downloaded', async () => {
    const first = imports.write('a.jsonl', jsonl(product('4006381333931', 'Oat bar', 'en:germany')));
    await imports.importAlone(first, '--countries', 'de');
    await using changes = await openChanges(14, [
      product('4006381333931', 'Oat bar, new', 'en:germany'),
      product('3017620422003', 'Oat spread', 'en:france'),
      product('4000417025005', 'Oat chocolate', 'en:austria'),
    ]);
    const { read, kept, files, catalogue } = await imports.importOff('--update');
    expect(changes.asked).toHaveLength(3);
    expect([read, kept, files.length, catalogue.foods]).toEqual([4, 2, 2, 2]);
    const found = await inUse();
    expect(found.search('oat', 5).map(({ name }) => name)).toEqual(['Oat bar, new']);
    expect(found.info.segments.map(({ slice }) => slice)).toEqual([
      { countries: ['de'] },
      { countries: ['de'] },
    ]);
    expect(readdirSync(join(imports.path, 'data', 'downloads', 'off'))).toEqual([]);
  });

  test('needs an import, and a list that reaches back to it', async () => {
    await using _ = await openChanges(1, []);
    await expect(imports.importOff('--update')).rejects.toThrow('nothing to update');
    await imports.importAlone(imports.write('a.jsonl', jsonl(OLD_SCHEMA)));
    await expect(imports.importOff('--update')).rejects.toThrow('import Open Food Facts again');
    await expect(imports.importOff('--update', '--countries', 'de')).rejects.toThrow('leave the rest out');
  });
});
