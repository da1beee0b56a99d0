import { toFoodId } from '@larder/core/food.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { ImportFolder } from '../../../test/support/import-folder.ts';
import { NAMED_ONLY, NEW_SCHEMA, OLD_SCHEMA } from '../../../test/support/off-products.ts';
import { openCatalogueStore } from '../../app/catalogue-store.ts';
import { readConfig } from '../../config/config.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../foods/catalogue/load-catalogue.ts';

let imports: ImportFolder;
beforeEach(() => {
  imports = new ImportFolder();
  return () => imports[Symbol.dispose]();
});

const PRODUCTS = [OLD_SCHEMA, NEW_SCHEMA, NAMED_ONLY];

describe('responses to a search', () => {
  test.each([
    ['of the product API', { count: 3, page: 1, page_count: 1, products: PRODUCTS, skip: 0 }],
    ['of the search service', { hits: PRODUCTS, page: 1, took: 5 }],
    ['as a plain list', PRODUCTS],
  ])('%s', async (_whose, answer) => {
    for (const space of [undefined, 2]) {
      const file = imports.write('search.json', JSON.stringify(answer, undefined, space));
      expect(await imports.importAlone(file)).toMatchObject({ read: 3, kept: 2, known: { count: 1 } });
    }
    expect((await imported('4006381333931'))?.per100).toMatchObject({ energy: 400, protein: 10 });
  });

  test('a broken product is counted and named', async () => {
    const list = `{"products":[${JSON.stringify(OLD_SCHEMA)},{"code":1,"brands":tru},{"code":"","a":1}]}`;
    const { kept, broken } = await imports.importAlone(imports.write('search.json', list));
    expect([kept, broken.reasons]).toEqual([
      1,
      [
        { reason: 'no valid JSON', count: 1, example: 'search.json, product 2: {"code":1,"brands":tru}' },
        {
          reason: 'a product without a code',
          count: 1,
          example: 'search.json, product 3: {"code":"","a":1}',
        },
      ],
    ]);
  });

  test('a truncated response is rejected', async () => {
    const whole = JSON.stringify({ products: PRODUCTS });
    const file = imports.write('search.json', whole.slice(0, -20));
    await expect(imports.importAlone(file)).rejects.toThrow(/ends in the middle of the list/);
  });
});

describe('the table export of a search', () => {
  test('until 2025: names by language, amounts with units, quotes if needed', async () => {
    const file = table(
      [
        'code',
        'lc',
        'product_name_de',
        'product_name_en',
        'generic_name_de',
        'brands',
        'serving_size',
        'nutrition_data_per',
        ...['energy-kcal', 'energy-kj', 'proteins', 'fat', 'carbohydrates', 'calcium', 'salt'].flatMap(
          (name) => [`${name}_value`, `${name}_unit`],
        ),
      ],
      // biome-ignore format: one product a line
      ['4006381333931', 'de', 'Hafer "Riegel"', 'Oat bar', 'Riegel', 'Acme', '50 g', 'serving', '200', 'kcal', '', '', '5', 'g', '10000', 'mg', '22.5', 'g', '60', 'mg', '', ''],
      // biome-ignore format: one product a line
      ['96385074', 'fr', '', 'Oat drink', '', '', '', '100g', '', '', '209.2', 'kJ', '1', '', '2', 'g', '7', 'g', '', '', '0.1', 'g'],
    );
    expect(await imports.importAlone(file)).toMatchObject({ read: 2, kept: 2 });
    const bar = await imported('4006381333931');
    expect(bar).toMatchObject({ name: 'Hafer "Riegel"', brand: 'Acme', aliases: ['Riegel', 'Oat bar'] });
    expect(bar?.per100).toMatchObject({ energy: 400, protein: 10, fat: 20, carbohydrates: 45, calcium: 120 });
    const drink = await imported('96385074');
    expect(drink).toMatchObject({ name: 'Oat drink' });
    expect(drink?.per100).toMatchObject({ energy: 50, protein: 1, fat: 2, carbohydrates: 7, sodium: 40 });
  });

  test('since 2025: a set of columns for each source and basis; estimates and prepared food are left out', async () => {
    const set = (name: string) =>
      ['energy-kcal', 'proteins', 'fat', 'carbohydrates'].flatMap((nutrient) => [
        `nutrition.input_sets.${name}.nutrients.${nutrient}.value`,
        `nutrition.input_sets.${name}.nutrients.${nutrient}.unit`,
      ]);
    const amounts = (...values: number[]) =>
      values.flatMap((value, at) => [String(value), at === 0 ? 'kcal' : 'g']);
    const none = Array.from({ length: 8 }, () => '');
    const file = table(
      [
        'code',
        'product_name_en',
        'serving_size',
        ...set('estimate.as_sold.100g'),
        ...set('packaging.prepared.100g'),
        ...set('packaging.as_sold.100ml'),
        ...set('packaging.as_sold.serving'),
      ],
      [
        '4006381333931',
        'Oat bar',
        '50 g',
        ...amounts(1, 1, 1, 1),
        ...amounts(2, 2, 2, 2),
        ...none,
        ...amounts(200, 5, 10, 22.5),
      ],
      ['96385074', 'Oat drink', '', ...none, ...none, ...amounts(50, 1, 2, 7), ...none],
      ['3017620422003', 'Hazelnut spread', '', ...amounts(1, 1, 1, 1), ...none, ...none, ...none],
    );
    expect(await imports.importAlone(file)).toMatchObject({ read: 3, kept: 2, known: { count: 1 } });
    expect((await imported('4006381333931'))?.per100).toMatchObject({ energy: 400, protein: 10, fat: 20 });
    expect(await imported('96385074')).toMatchObject({
      basis: 'ml',
      per100: { energy: 50, carbohydrates: 7 },
    });
  });

  test('as an Excel file it is rejected, and the error says what to do', async () => {
    const file = imports.write('search.xlsx', Buffer.from('PK\x03\x04 and more'));
    await expect(imports.importAlone(file)).rejects.toThrow(/An Excel file has to be saved as CSV first/);
  });
});

/** Formats as Open Food Facts does: tabs, and quotes around fields that contain quotes. */
function table(...rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text);
  return imports.write('search.csv', rows.map((row) => `${row.map(cell).join('\t')}\n`).join(''));
}

async function imported(code: string) {
  const store = openCatalogueStore(readConfig(imports.env));
  const file = store.pathOf((await store.current())!);
  return Catalogue.open(await loadCatalogueImage(file)).findById(toFoodId('off', code));
}
