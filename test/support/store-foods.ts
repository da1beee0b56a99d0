import { toFoodId } from '@larder/core/food.ts';
import { openCatalogueStore } from '../../src/app/catalogue-store.ts';
import { addFoods } from '../../src/foods/import/complete-foods.ts';
import { SPREAD } from './foods.ts';

let written = 0;

/** Writes a catalogue with foods of these names to a data folder's catalogue store, and returns its name. */
export function storeFoods(dataDir: string, ...names: string[]): Promise<string> {
  const { barcode: _barcode, gtin: _gtin, ...food } = SPREAD;
  return addFoods({
    catalogueStore: openCatalogueStore({ dataDir, diskReserveMb: 0, meaning: 'off' }),
    origin: 'off',
    sources: ['test'],
    foods: [SPREAD, ...names.map((name) => ({ ...food, id: toFoodId('off', name.toLowerCase()), name }))],
    // Names of catalogues have a resolution of a second.
    nowMs: () => Date.now() + 1_000 * ++written,
  });
}
