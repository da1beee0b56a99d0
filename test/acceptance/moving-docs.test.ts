import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { runLarder } from '../support/run-larder.ts';
import { runPage } from '../support/run-page.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const OFF = [
  {
    code: '3017620422003',
    product_name: 'Nutella',
    brands: 'Ferrero',
    serving_size: '15 g',
    nutriments: {
      'energy-kcal_100g': 539,
      proteins_100g: 6.3,
      carbohydrates_100g: 57.5,
      fat_100g: 30.9,
      sugars_100g: 56.3,
      'saturated-fat_100g': 10.6,
      salt_100g: 0.107,
      sodium_100g: 0.0428,
    },
  },
  { code: '4006381333931', product_name: 'Pencil', brands: 'Acme', nutriments: {} },
];

const amounts = { 1008: 393, 1003: 25, 1004: 32.1, 1005: 3.6, 1093: 643 };
const FDC = {
  BrandedFoods: [
    {
      fdcId: 2105614,
      description: 'CHEDDAR CHEESE',
      dataType: 'Branded',
      brandOwner: 'Dairy Inc.',
      brandName: 'GREEN HILL',
      gtinUpc: '012345678905',
      servingSize: 28,
      servingSizeUnit: 'g',
      householdServingFullText: '1 slice',
      foodNutrients: Object.entries(amounts).map(([id, amount]) => ({
        nutrient: { id: Number(id) },
        amount,
      })),
    },
  ],
};

describe.each([
  ['from-open-food-facts.md', 'off', OFF.map((product) => `${JSON.stringify(product)}\n`).join('')],
  ['from-food-data-central.md', 'fdc', JSON.stringify(FDC)],
])('docs/%s', (page, source, content) => {
  test('its examples run unchanged against a service with imported foods and get the documented responses', async () => {
    using folder = tempFolder();
    const file = join(folder.path, 'export.json');
    writeFileSync(file, content);
    const settings = { LARDER_DATA_DIR: join(folder.path, 'data') };
    await runLarder(settings, 'import', source, file);
    await using service = await startServiceProcess({ ...settings, LARDER_THREADS: '1' });
    const path = join(import.meta.dirname, '..', '..', 'docs', page);
    await runPage(path, { LARDER: service.url, KEY: service.key }, folder.path);
  });
});
