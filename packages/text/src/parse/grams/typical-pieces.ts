import { type NameWord, nameWords, wordsOfName } from '../names/name-words.ts';
import PIECES from './pieces.json' with { type: 'json' };

/**
 * Typical weights of the pieces of foods that their own servings lack: a head of cabbage, a bunch of radishes, a stick
 * of cinnamon. `pieces.json` has a block for each source; USDA's tables are in the public domain.
 *
 * A key has names of a food; the last word of a name is the head of the food's name, the others are in it or in the
 * text. `shallot@onion` is an onion that the text calls a shallot. A value lists pieces in grams: one number, or those
 * of a small, a usual and a large one. `whole` is what a number without a unit counts, `cm` a centimeter of length. A
 * piece with `!` weighs so even if a serving has its name, as servings of a "stick" may be cut.
 */
interface Row {
  /** The stems that the text or the food's name has besides the head. */
  readonly others: readonly string[];
  readonly pieces: ReadonlyMap<string, Piece>;
}

interface Piece {
  readonly grams: readonly [small: number, usual: number, large: number];
  readonly isFirm: boolean;
  readonly source: string;
}

export interface TypicalPiece {
  readonly grams: number;
  /** The weight replaces a serving of the same name. */
  readonly isFirm: boolean;
  /** Such as "typical large head of 1134 g (USDA SR Legacy)". */
  readonly text: string;
}

/** Weights of small and large pieces of which only the usual weight is known, as shares of it. */
const SMALL = 0.7;
const LARGE = 1.4;
const SIZE_INDEX: ReadonlyMap<string, number> = new Map([
  ['miniature', 0],
  ['small', 0],
  ['thin', 0],
  ['medium', 1],
  ['individual', 1],
  ['large', 2],
  ['thick', 2],
]);

/** Beginnings of names in food tables after which the kind follows: "Fish, salmon", "Spices, cinnamon". */
const GROUPS: ReadonlySet<string> = new Set(
  'spice nut seed fish crustacean mollusk squash seaweed melon cheese lettuce mushroom cabbage pork beef lamb veal pepper leavening candy'.split(
    ' ',
  ),
);
/** Last words of names that do not change what a piece of the food is: "Cilantro leaves". */
const FORMS: ReadonlySet<string> = new Set('leaf leave root raw fresh bulb fruit'.split(' '));

/** Words of names of dishes and parts, which are not a piece of what else the name says. */
const OTHER_THINGS: ReadonlySet<string> = new Set(
  'sandwich burger meal soup sauce salad pie cake casserole stew curry dip juice drink candy covered coated breaded bar shake smoothie pudding jam jelly powder chip fry stuffed croquette patty kabob dinner toddler babyfood infant breast thigh drumstick leg wing liver gizzard neck ground minced rind flour oil vinegar paste puree spread seasoning mix pastry ring stick yolk white biscuit cereal nugget tender roll bun'.split(
    ' ',
  ),
);

/** Rows by the head of their name. */
let rows: ReadonlyMap<string, readonly Row[]> | undefined;

function readRows(): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const [source, block] of Object.entries(PIECES)) {
    for (const [keys, value] of Object.entries(block)) {
      const pieces = readPieces(value, source);
      for (const key of keys.split(' | ')) {
        const [said, of] = key.split('@');
        const stems = nameWords(said!).map(({ stem }) => stem);
        const head = of ?? stems.pop()!;
        found.set(head, [...(found.get(head) ?? []), { others: stems, pieces }]);
      }
    }
  }
  return found;
}

function readPieces(value: string, source: string): ReadonlyMap<string, Piece> {
  const pieces = new Map<string, Piece>();
  for (const part of value.split(', ')) {
    const [, names, firm, weights] = /^([^ !]+)(!?) ([\d./]+)$/.exec(part)!;
    const [first, usual = first!, large] = weights!.split('/').map(Number);
    const grams =
      large === undefined
        ? ([SMALL * usual, usual, LARGE * usual] as const)
        : ([first!, usual, large] as const);
    for (const name of names!.split('|')) pieces.set(name, { grams, isFirm: firm === '!', source });
  }
  return pieces;
}

/** The pieces of a food by its name and what the text says; undefined if the table has none. */
export function piecesOf(
  foodName: string,
  said: ReadonlySet<string>,
): ReadonlyMap<string, Piece> | undefined {
  rows ??= readRows();
  // "Chicken with rice" is a dish.
  if (/ with /i.test(foodName)) return undefined;
  const words = wordsOfName(foodName);
  const stems = new Set(words.map(({ stem }) => stem));
  let best: Row | undefined;
  let bestRank = -1;
  for (const { head, first } of headsOf(words)) {
    const isOfGroup = first !== undefined && GROUPS.has(first);
    for (const row of rows.get(head) ?? []) {
      if (!row.others.every((stem) => stems.has(stem) || said.has(stem))) continue;
      // "Bread, banana" is no banana; "Chicken, breast" is a "chicken breast".
      if (first !== undefined && !isOfGroup && !row.others.includes(first)) continue;
      if (words.some(({ stem }) => OTHER_THINGS.has(stem) && stem !== head && !row.others.includes(stem)))
        continue;
      const rank = 2 * row.others.length + Number(isOfGroup);
      if (rank <= bestRank) continue;
      best = row;
      bestRank = rank;
    }
  }
  return best?.pieces;
}

interface Head {
  readonly head: string;
  /** The head of the first part, for one of a later part. */
  readonly first?: string;
}

/** The words that may be what the name's food is: the last ones of its parts. */
function headsOf(words: readonly NameWord[]): Head[] {
  const heads: Head[] = [];
  const parts = Map.groupBy(words, ({ part }) => part);
  let first: string | undefined;
  for (const inPart of parts.values()) {
    const last = inPart.at(-1)!;
    const before = FORMS.has(last.stem) ? inPart.at(-2) : undefined;
    const ends = inPart.filter((word) => word === last || word === before || word.isAlternative === true);
    for (const { stem } of ends) heads.push({ head: stem, ...(first !== undefined && { first }) });
    first ??= last.stem;
  }
  return heads;
}

/** Pieces that replace one another where the table has only one of them. */
const SAME_PIECE: Readonly<Record<string, readonly string[]>> = {
  piece: ['whole'],
  unit: ['whole'],
  head: ['whole'],
  bulb: ['head', 'whole'],
  loaf: ['whole'],
  ball: ['whole'],
  ear: ['whole'],
  pod: ['whole'],
  rasher: ['slice'],
  stick: ['stalk'],
  rib: ['stalk'],
  stem: ['stalk', 'sprig'],
  stalk: ['sprig', 'stem'],
  branch: ['sprig', 'stalk'],
  sheet: ['leaf'],
  leaf: ['sheet'],
  sachet: ['packet'],
  pouch: ['bag', 'packet'],
  envelope: ['packet'],
  pack: ['package'],
  lump: ['cube'],
};

export function typicalPieceOf(
  pieces: ReadonlyMap<string, Piece>,
  name: string,
  size: string | undefined,
): TypicalPiece | undefined {
  const names = [name, ...(SAME_PIECE[name] ?? [])];
  const piece = names.map((each) => pieces.get(each)).find((each) => each !== undefined);
  if (piece === undefined) return undefined;
  const index = SIZE_INDEX.get(size ?? 'medium');
  if (index === undefined) return undefined;
  const grams = Math.round(1000 * piece.grams[index]!) / 1000;
  const words = ['typical', ...(index === 1 ? [] : [size]), name === 'whole' ? 'piece' : name];
  return { grams, isFirm: piece.isFirm, text: `${words.join(' ')} of ${grams} g (${piece.source})` };
}
