/** US units in grams or milliliters. */
export const US_SIZES = { oz: 28.349523125, fl_oz: 29.5735295625 } as const;
