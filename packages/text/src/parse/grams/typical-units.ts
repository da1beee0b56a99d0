import type { Food, Serving } from '@larder/core/food.ts';
import { isSize } from './serving-match.ts';
import { piecesOf, type TypicalPiece, typicalPieceOf } from './typical-pieces.ts';

const NO_WORDS: ReadonlySet<string> = new Set();
/** Measures of the table that count nothing, and parts that need to be named by the text. */
const NO_UNITS: ReadonlySet<string> = new Set(['cm', 'cm2', 'ml', 'juice', 'zest']);
/** The serving of foods whose source states none. */
const NOT_STATED_GRAMS = 100;
/** Maximum weight of a piece that is eaten at once, unlike a head of cabbage. */
const MAX_EATEN_GRAMS = 400;

/** The units in the table of typical pieces for a food of this name. */
export function typicalUnitsOf(foodName: string): string[] {
  const names = piecesOf(foodName, NO_WORDS)?.keys() ?? [];
  return [...names].filter((name) => !NO_UNITS.has(name)).map((name) => (name === 'whole' ? 'piece' : name));
}

/** The weight of a unit in singular, alone or after a size: "bunch", "piece", "large head", "small". */
export function typicalUnit(foodName: string, unit: string): TypicalPiece | undefined {
  const pieces = piecesOf(foodName, NO_WORDS);
  if (pieces === undefined || NO_UNITS.has(unit)) return undefined;
  const [first = '', ...others] = unit.split(' ');
  return isSize(first)
    ? typicalPieceOf(pieces, others.join(' ') || 'whole', first)
    : typicalPieceOf(pieces, unit, undefined);
}

/** The first serving, or a piece of usual size if the first serving is only a default of 100 g. */
export function usualServing({ name, servings }: Pick<Food, 'name' | 'servings'>): Serving {
  const [first] = servings;
  if (first.label !== undefined || first.unit !== 'g' || first.basisAmount !== NOT_STATED_GRAMS) return first;
  const piece = typicalUnit(name, 'piece');
  if (piece === undefined || piece.grams > MAX_EATEN_GRAMS) return first;
  return { value: 1, unit: 'piece', basisAmount: piece.grams, label: `1 piece (${piece.grams} g)` };
}
