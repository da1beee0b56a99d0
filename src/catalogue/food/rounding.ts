/**
 * Removes digits that are float noise or false precision: 3 decimals or 5 significant digits stay, whichever keeps more.
 * 28.000000000000004 -> 28, 0.00999999977 -> 0.01.
 *
 * Whole numbers are divided by powers of ten, since such a quotient is the float nearest to the decimal.
 */
export function tidyNumber(value: number): number {
  const thousandths = Math.round(value * 1_000) / 1_000;
  if (thousandths === value) return value;
  const size = Math.abs(value);
  if (size >= 10) return thousandths;
  let scale = 10_000;
  for (let limit = 1; size < limit && scale < MAX_SCALE; limit /= 10) scale *= 10;
  return Math.round(value * scale) / scale;
}

/** The finest step: no label states smaller amounts. */
const MAX_SCALE = 1e9;
