import type { FoodInput, ScanItem } from 'larder-client';

/** Units of volume as labels print them, by the units of foods; with the milliliters that labels call one of them. */
const VOLUMES = [
  [/^cups?$/i, 'cup', 240],
  [/^(?:tbsps?|tablespoons?)\.?$/i, 'tbsp', 15],
  [/^(?:tsps?|teaspoons?)\.?$/i, 'tsp', 5],
  [/^fl\.?\s?oz\.?$/i, 'fl_oz', 30],
] as const;
/** Units of weight and volume. */
const WEIGHTS = ['g', 'ml', 'oz', 'fl_oz'];
/** How far printed milliliters may be from those of the household measure. */
const ROUNDING = 0.02;
const DENOMINATORS = [2, 3, 4, 8];
const FRACTION_ERROR = 0.001;

/**
 * What a nutrition label says, as the beginning of an own food. The printed name of a label is a guess at best, so it stays empty.
 * `amount` is what its serving holds, in grams or milliliters; 0 if that is unknown, and then the form asks for it.
 */
export function foodOfLabel(item: ScanItem, amount: number): Partial<FoodInput> {
  const { brand, barcode, servingSize, macros } = item;
  return {
    ...(brand !== undefined && { brand }),
    ...(barcode !== undefined && { barcode }),
    servingSize: servingOf(servingSize, amount),
    macros,
  };
}

/** A serving that has grams: "2/3 cup (55 g)" is 55 g by that name, since the volume does not tell its weight. */
function servingOf({ value, unit }: ScanItem['servingSize'], amount: number): FoodInput['servingSize'] {
  if (WEIGHTS.includes(unit) || !(amount > 0)) return { value, unit };
  const [, volume, milliliters] = VOLUMES.find(([pattern]) => pattern.test(unit)) ?? [];
  if (volume === undefined) return { value, unit, grams: amount };
  // "1 cup (240 ml)": the amount is the volume.
  if (Math.abs(amount / (value * milliliters) - 1) <= ROUNDING) return { value, unit: volume };
  return { value: amount, unit: 'g', label: `${fractionText(value)} ${unit} (${amount} g)` };
}

/** `2/3` for 0.667, `1 1/2` for 1.5. */
function fractionText(value: number): string {
  const whole = Math.floor(value);
  const rest = value - whole;
  for (const below of DENOMINATORS) {
    const above = Math.round(rest * below);
    if (above > 0 && above < below && Math.abs(rest - above / below) < FRACTION_ERROR)
      return `${whole > 0 ? `${whole} ` : ''}${above}/${below}`;
  }
  return String(value);
}
