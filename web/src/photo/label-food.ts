import type { FoodInput, ScanItem } from 'larder-client';

/** What a nutrition label says, as the beginning of an own food. The printed name of a label is a guess at best, so it stays empty. */
export function foodOfLabel({ brand, barcode, servingSize, macros }: ScanItem): Partial<FoodInput> {
  return {
    ...(brand !== undefined && { brand }),
    ...(barcode !== undefined && { barcode }),
    servingSize,
    macros,
  };
}
