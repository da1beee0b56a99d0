import { candidatesOf, parseBarcode } from './candidates.ts';
import type { Gtin } from './gtin.ts';

const TYPED_BARCODE = /^\s*\d(?:[\s-]?\d){5,13}\s*$/;

/** The candidates of a search text that is a barcode; undefined when it is none. */
export function typedBarcode(query: string): readonly Gtin[] | undefined {
  return TYPED_BARCODE.test(query) ? candidatesOf(parseBarcode(query)) : undefined;
}
