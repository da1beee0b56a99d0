/** Grams of units of weight: NIST Handbook 44, appendix C. */
export const GRAMS: Readonly<Record<string, number>> = {
  ...{ g: 1, mg: 0.001, kg: 1000 },
  ...{ oz: 28.349523125, lb: 453.59237 },
};

/** Milliliters of units of volume. Those of kitchens give way to the sizes that a food states itself. */
export const MILLILITERS: Readonly<Record<string, number>> = {
  ...{ ml: 1, l: 1000, fl_oz: 29.5735295625 },
  ...{ cup: 236.5882365, tbsp: 14.78676478125, tsp: 4.92892159375 },
};
