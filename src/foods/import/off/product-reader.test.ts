import { expect, test } from 'vitest';
import { toRawFood } from './food.ts';
import { OffProductReader } from './product-reader.ts';

function read(product: object) {
  const bytes = Buffer.from(JSON.stringify({ code: '1', ...product }));
  return toRawFood(new OffProductReader().read(bytes, 0, bytes.length)!);
}

test.each([
  [{ product_name: 'Butter', product_name_pl: 'Masło' }, 'Butter'],
  [{ product_name: '', product_name_th: 'เนย' }, 'เนย'],
  [{ product_name: '-', product_name_pl: 'Masło' }, 'Masło'],
  [{ product_name: ' . ', lang: 'pl', product_name_cs: 'Máslo', product_name_pl: 'Masło' }, 'Masło'],
  [{ product_name_cs: '?', product_name_sk: 'Maslo' }, 'Maslo'],
  [{ abbreviated_product_name: 'Btr', product_name_pl: 'Masło' }, 'Btr'],
  [{ generic_name: 'Spread' }, 'Spread'],
  [{}, ''],
])('the name of %j is "%s"', (product, name) => {
  expect(read(product).name).toBe(name);
});

test.each([
  ['400', 400],
  ['400 kcal', 400],
  ['~400', 400],
  ['400,5', 400.5],
  ['1674 kJ', 1674 / 4.184],
  ['<1', 0],
  ['many', undefined],
  ['400 or 500', undefined],
])('the energy "%s" is %s', (text, energy) => {
  const { per100 } = read({ nutriments: { 'energy-kcal_100g': text } });
  if (energy === undefined) expect(per100!.energy).toBeUndefined();
  else expect(per100!.energy).toBeCloseTo(energy, 6);
});

test('masses with a unit are converted, in both schemas', () => {
  expect(
    read({ nutriments: { proteins_100g: '5 g', sodium_100g: '120 mg', fat_100g: '0,5' } }).per100,
  ).toEqual({
    protein: 5,
    sodium: 120,
    fat: 0.5,
  });
  const nutrients = { proteins: { value: '~8', unit: 'g' }, sodium: { value: '<1', unit: 'mg' } };
  expect(read({ nutrition: { aggregated_set: { per: '100g', nutrients } } }).per100).toEqual({
    protein: 8,
    sodium: 0,
  });
});
