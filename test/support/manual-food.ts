import type { Food } from '../../src/catalogue/food/food.ts';
import { sampleFood } from './sample-foods.ts';

/** A food that a tenant entered, of which a test says only what matters to it. */
export function manualFood({
  key = 'sample',
  ...more
}: Partial<Omit<Food, 'id' | 'gtin'>> & { readonly key?: string } = {}): Food {
  return sampleFood('manual', key, { source: 'manual_entry', name: 'Plum jam', popularity: 100, ...more });
}
