/** Polyols named outside the table: sweets often consist only of them. */
export type NamedPolyols = 'erythritol' | 'other';

const ERYTHRITOL = /\b[eé]r[iy]tr?h?r?it/iu;
const OTHER =
  /\b(?:isomalt|sorbit|xylit|xilit|maltit|mannit|manit|la[ck]?tit|polyol|poliol|polialco|alditol)/iu;

/** Erythritol has no energy, other polyols have some 2.4 kcal/g; with both, the energy is unknown. */
export function polyolsNamed(texts: readonly string[]): NamedPolyols | undefined {
  const isErythritol = texts.some((text) => ERYTHRITOL.test(text));
  const isOther = texts.some((text) => OTHER.test(text));
  if (isErythritol === isOther) return undefined;
  return isErythritol ? 'erythritol' : 'other';
}
