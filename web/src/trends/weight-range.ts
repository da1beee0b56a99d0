/** Weights that a person may have, in kg. */
const MIN_KG = 1;
const MAX_KG = 700;

/** The lowest and the highest weight that is accepted, rounded inwards; `inUnit` gives kilograms in the unit that is shown. */
export function weightRange(inUnit: (kg: number) => number): readonly [number, number] {
  return [Math.ceil(inUnit(MIN_KG)), Math.floor(inUnit(MAX_KG))];
}
