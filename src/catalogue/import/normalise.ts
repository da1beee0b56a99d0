import type { Food, KnownProduct } from '../food.ts';
import type { RawFood } from './raw-food.ts';

/** What becomes of a raw food. Reasons are sentences of a closed list, so that a report can count them. */
export type Normalised =
  | { readonly kind: 'food'; readonly food: Food; readonly mended: readonly string[] }
  | { readonly kind: 'known'; readonly product: KnownProduct; readonly reason: string }
  | { readonly kind: 'skipped'; readonly reason: string };

/**
 * Makes a food out of what a reader found, or says why none can be made. Never throws on any content.
 * `importedAt` (Unix seconds) stands in where the source states no times.
 */
export function normalise(raw: RawFood, importedAt: number): Normalised {
  return { kind: 'skipped', reason: `${raw.origin} at ${importedAt} is not normalised yet` };
}
