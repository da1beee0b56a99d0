declare const gtinBrand: unique symbol;

/** A trade item number as 14 digits, zero-padded: GTIN-8, UPC-A, EAN-13 and GTIN-14 in one key space. */
export type Gtin = string & { readonly [gtinBrand]: true };
