import { candidatesOf, parseBarcode } from '../barcode/candidates.ts';
import type { Gtin } from '../barcode/gtin.ts';

const TYPED_BARCODE = /^\s*\d(?:[\s-]?\d){5,13}\s*$/;

/** What a search text can stand for when it is a barcode that somebody typed; undefined when it is none. */
export function typedBarcode(query: string): readonly Gtin[] | undefined {
  return TYPED_BARCODE.test(query) ? candidatesOf(parseBarcode(query)) : undefined;
}
