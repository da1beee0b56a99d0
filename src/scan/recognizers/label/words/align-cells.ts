import { type Piece, rowOf, type TextRow } from '../text/rows.ts';
import { findPrintedAmounts } from './amounts.ts';
import type { LabelNutrient, NutrientWords } from './nutrient-words.ts';

/** Minimum rows with mismatched names and amounts for a new alignment. */
const LEAST_FAULTS = 2;
/** Costs of the alignment, in squared row distances; a jump between two rows increases them. */
const COST = { jump: 2, start: 0.15, noName: 0.7, noCell: 0.5 } as const;
/** Maximum names and cells of a column; more are not a table, and alignment takes the product of both, squared. */
const LEAST = 3;
const MOST = 40;
/** Minimum share of a column that its cells have in common. */
const OVERLAP = 0.4;
/** Matches words beside amounts: "ca. 5 g", "less than 1 g". More letters belong to another text. */
export const FILLER =
  /(?<!\p{L})(?:kcal|cal|kj|m?c?g|µg|ml|ca|circa|about|approx|environ|env|aprox|less than|moins de|weniger als|menos de|meno di|traces?|spuren|tracce|trazas|vest[ií]gios|nil|spar|spor)(?!\p{L})/giu;

/** Maximum length of a row's name; longer texts are ingredients or storage. */
const MOST_LETTERS = 48;
/** Matches a head, which is not an amount. */
const HUNDRED = /^100\s?(?:g|ml)$/iu;

type CellKind = 'energy' | 'mass';

interface Name {
  readonly piece: Piece;
  readonly kind: CellKind;
  /** Names with their amount in the same text. */
  readonly isComplete: boolean;
}

interface Cell {
  readonly piece: Piece;
  readonly kind: CellKind;
}

/**
 * Aligns columns of names and amounts again if rows do not match: cans and bags bend lines more than their
 * slopes show, so that amounts get into the row above or below. All cells of a column keep their order, and
 * have a similar offset as their neighbours.
 */
export function alignCells(rows: readonly TextRow[], words: NutrientWords): readonly TextRow[] {
  const before = faultsOf(rows, words);
  if (before < LEAST_FAULTS) return rows;
  const pieces = rows.flatMap((row) => row.pieces);
  const names = pieces.flatMap((piece) => nameIn(piece, words)).sort((a, b) => a.piece.y - b.piece.y);
  const cells = cellsOf(pieces, words);
  if (names.length < LEAST || names.length > MOST) return rows;
  const cellsOfName = new Map<Piece, Piece[]>();
  for (const column of columnsOf(cells)) {
    if (column.length < LEAST || column.length > MOST) continue;
    for (const [name, cell] of aligned(names, column)) {
      const own = cellsOfName.get(name.piece) ?? [];
      own.push(cell.piece);
      cellsOfName.set(name.piece, own);
    }
  }
  const moved = new Set([...cellsOfName.values()].flat());
  const after = rows.flatMap((row) => {
    const kept = row.pieces.filter((piece) => !moved.has(piece));
    const own = kept.flatMap((piece) => cellsOfName.get(piece) ?? []);
    if (kept.length === 0) return [];
    if (own.length === 0 && kept.length === row.pieces.length) return [row];
    return [rowOf([...kept, ...own].sort((a, b) => a.left - b.left))];
  });
  return faultsOf(after, words) < before ? after : rows;
}

/** Counts rows with a nutrient but without an amount, and amounts without a nutrient or of another kind. */
function faultsOf(rows: readonly TextRow[], words: NutrientWords): number {
  let faults = 0;
  let isAfterEnergy = false;
  for (const { text } of rows) {
    const nutrient = words.find(text);
    const units = findPrintedAmounts(text).map(({ readings }) => readings[0]!.unit);
    const [hasEnergy, hasMass] = [units.some(isEnergy), units.some(isMass)];
    const isHead = nutrient === undefined && otherLetters(text) > 0;
    if (nutrient === undefined) {
      if (!isHead && (hasMass || (hasEnergy && !isAfterEnergy))) faults++;
    } else if (nutrient === 'energy') {
      if (units.length === 0 || (hasMass && !hasEnergy)) faults++;
    } else if (nutrient !== 'other' && (units.length === 0 || (hasEnergy && !hasMass))) faults++;
    isAfterEnergy = nutrient === 'energy';
  }
  return faults;
}

function isEnergy(unit: string | undefined): boolean {
  return unit === 'kcal' || unit === 'kj';
}

function isMass(unit: string | undefined): boolean {
  return unit === 'g' || unit === 'mg' || unit === 'ug';
}

function otherLetters(text: string): number {
  return (text.replaceAll(FILLER, '').match(/\p{L}/gu) ?? []).filter((letter) => !/[OolIgq]/.test(letter))
    .length;
}

function nameIn(piece: Piece, words: NutrientWords): Name[] {
  const nutrient = piece.text.length > MOST_LETTERS ? undefined : words.find(piece.text);
  if (nutrient === undefined) return [];
  return [{ piece, kind: kindOf(nutrient), isComplete: nutrient === 'other' || /\d/.test(piece.text) }];
}

function kindOf(nutrient: LabelNutrient): CellKind {
  return nutrient === 'energy' ? 'energy' : 'mass';
}

/** Energy without a unit is a large number, as in the United States. */
function cellsOf(pieces: readonly Piece[], words: NutrientWords): Cell[] {
  const found = pieces.flatMap((piece): (Cell & { hasUnit: boolean })[] => {
    if (words.find(piece.text) !== undefined || otherLetters(piece.text) > 0) return [];
    if (HUNDRED.test(piece.text)) return [];
    const units = findPrintedAmounts(piece.text).map(({ readings }) => readings[0]!.unit);
    if (units.some(isEnergy)) return [{ piece, kind: 'energy', hasUnit: true }];
    if (units.some(isMass)) return [{ piece, kind: 'mass', hasUnit: true }];
    return /^\d{2,4}$/.test(piece.text) ? [{ piece, kind: 'energy', hasUnit: false }] : [];
  });
  const hasEnergy = found.some(({ kind, hasUnit }) => kind === 'energy' && hasUnit);
  return found.filter(({ hasUnit }) => hasUnit || !hasEnergy);
}

/** Cells that are above each other, in columns from the top. */
function columnsOf(cells: readonly Cell[]): Cell[][] {
  const columns: Cell[][] = [];
  for (const cell of cells.toSorted((a, b) => widthOf(a) - widthOf(b))) {
    const own = columns.find((column) => column.some((other) => overlapOf(cell, other) >= OVERLAP));
    if (own === undefined) columns.push([cell]);
    else own.push(cell);
  }
  return columns.map((column) => column.sort((a, b) => a.piece.y - b.piece.y));
}

function widthOf({ piece }: Cell): number {
  return piece.right - piece.left;
}

function overlapOf(a: Cell, b: Cell): number {
  const common = Math.min(a.piece.right, b.piece.right) - Math.max(a.piece.left, b.piece.left);
  return common / Math.max(1, Math.min(widthOf(a), widthOf(b)));
}

interface Step {
  readonly cost: number;
  readonly offset: number;
  readonly name: number;
  readonly cell: number;
  readonly last: Step | undefined;
}

/** The cheapest assignment of names to cells in order, by dynamic programming over both. */
function aligned(names: readonly Name[], cells: readonly Cell[]): [Name, Cell][] {
  const pitch = pitchOf(names);
  const skipped = (from: number, to: number) =>
    COST.noCell * names.slice(from, to).filter(({ isComplete }) => !isComplete).length;
  const steps: Step[] = [];
  for (const [cell, { piece, kind }] of cells.entries()) {
    for (const [name, { piece: own, kind: wanted }] of names.entries()) {
      if (kind !== wanted || piece.left < own.left) continue;
      const offset = (piece.y - projected(own, piece)) / pitch;
      const cost = COST.start * offset ** 2 + skipped(0, name) + COST.noName * cell;
      const start: Step = { cost, offset, name, cell, last: undefined };
      const options = steps.flatMap((last) => stepAfter(last, { offset, name, cell, kind }, skipped) ?? []);
      steps.push(cheapest([start, ...options])!);
    }
  }
  const ends = steps.map((last) => ({
    ...last,
    cost: last.cost + skipped(last.name + 1, names.length) + COST.noName * (cells.length - last.cell - 1),
  }));
  const pairs: [Name, Cell][] = [];
  for (let step = cheapest(ends); step !== undefined; step = step.last)
    pairs.push([names[step.name]!, cells[step.cell]!]);
  return pairs;
}

function cheapest(steps: readonly Step[]): Step | undefined {
  let best: Step | undefined;
  for (const step of steps) if (best === undefined || step.cost < best.cost) best = step;
  return best;
}

/** Undefined if the name or cell would precede those of the last step. */
function stepAfter(
  last: Step,
  { offset, name, cell, kind }: Pick<Step, 'offset' | 'name' | 'cell'> & { kind: CellKind },
  skipped: (from: number, to: number) => number,
): Step | undefined {
  // kJ above kcal are two cells with one name.
  if (kind === 'energy' && last.name === name && last.cell === cell - 1)
    return { cost: last.cost, offset: last.offset, name, cell, last };
  if (last.name >= name || last.cell >= cell) return undefined;
  const jump = COST.jump * (offset - last.offset) ** 2;
  const cost = last.cost + jump + skipped(last.name + 1, name) + COST.noName * (cell - last.cell - 1);
  return { cost, offset, name, cell, last };
}

/** The usual distance between two rows. */
function pitchOf(names: readonly Name[]): number {
  const distances = names.slice(1).map(({ piece }, index) => piece.y - names[index]!.piece.y);
  return Math.max(1, distances.sort((a, b) => a - b)[distances.length >> 1] ?? 1);
}

/** Returns the height of a name's line at the position of a cell. */
function projected(name: Piece, cell: Piece): number {
  const middle = (piece: Piece) => (piece.left + piece.right) / 2;
  return name.y + ((name.slope + cell.slope) / 2) * (middle(cell) - middle(name));
}
