import type { Food } from '@larder/core/food.ts';
import { sampleFood } from './sample-foods.ts';

/** A custom food; a test states only the relevant fields. */
export function customFood({
  key = 'sample',
  ...more
}: Partial<Omit<Food, 'id' | 'gtin'>> & { readonly key?: string } = {}): Food {
  return sampleFood('manual', key, { source: 'manual_entry', name: 'Plum jam', popularity: 100, ...more });
}
