import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseBarcode } from '@larder/core/codes/scanned-code.ts';
import type { Food, KnownProduct } from '@larder/core/food.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileFoods } from '../../../../test/support/compiled-foods.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { normalise } from '../normalise/normalise.ts';
import { openFdcSource } from './source.ts';

const FDC = join(import.meta.dirname, '../../../../../shared/data/fdc');
const IMPORTED_AT = Date.UTC(2026, 3, 21) / 1000;

async function normaliseAll(name: string): Promise<{ foods: Food[]; products: KnownProduct[] }> {
  const foods: Food[] = [];
  const products: KnownProduct[] = [];
  const source = await openFdcSource(join(FDC, name));
  await source.read({
    food: (raw) => {
      const normalised = normalise(raw, IMPORTED_AT);
      if (normalised.kind === 'food') foods.push(normalised.food);
      if (normalised.kind === 'known') products.push(normalised.product);
    },
    skipped: () => {},
    broken: () => {},
    noticed: () => {},
  });
  source.close();
  return { foods, products };
}

describe.skipIf(!existsSync(FDC))(
  'a catalogue of the real files (skipped where ../shared/data is absent)',
  () => {
    let catalogue: Catalogue;
    let branded: { foods: Food[]; products: KnownProduct[] };

    beforeAll(async () => {
      branded = await normaliseAll('branded');
      const generic = [await normaliseAll('sr_legacy'), await normaliseAll('survey')];
      const imports = [...generic.map(({ foods }) => foods), branded.foods];
      ({ catalogue } = await compileFoods(imports, branded.products));
    });

    test('every barcode with nutrients is found in its UPC-A, EAN-13 and GTIN-14 form', () => {
      const withBarcode = branded.foods.filter(({ gtin }) => gtin !== undefined);
      expect(withBarcode.length).toBeGreaterThan(12_000);
      const unanswered = withBarcode.flatMap(({ gtin = '', barcode = '' }) =>
        [barcode, gtin, ...shorterForms(gtin)].filter((form) => {
          const match = catalogue.findByBarcode(parseBarcode(form));
          return match === undefined || !('food' in match);
        }),
      );
      expect(unanswered).toEqual([]);
    });

    test.each([
      ['banana', /^banana/i],
      ['egg', /^egg/i],
    ])('a search for "%s" finds the generic food first', (query, name) => {
      const [first] = catalogue.search(query, 5);
      expect(first?.name).toMatch(name);
      expect(first?.brand).toBeUndefined();
    });
  },
);

function shorterForms(gtin: string): string[] {
  const forms: string[] = [];
  if (gtin.startsWith('0')) forms.push(gtin.slice(1));
  if (gtin.startsWith('00')) forms.push(gtin.slice(2));
  return forms;
}
