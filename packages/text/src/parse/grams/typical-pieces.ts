import type { Basis } from '@larder/core/food.ts';
import type { Language } from '../../language.ts';
import { type NameWord, nameWords, stemOf, wordsOfName } from '../names/name-words.ts';
import PIECES from './pieces.json' with { type: 'json' };
import PORTIONS from './portions.json' with { type: 'json' };

/**
 * Typical weights of pieces that the servings of foods lack: a head of cabbage, a bunch of radishes, a stick
 * of cinnamon.
 *
 * `pieces.json` has a block for each source; USDA's tables are in the public domain. `portions.json` has the
 * portions of a country by source, for each language or regional language, or for all (`*`).
 *
 * A key has names of a food; the last word of a name is the head of the food's name, the others are in it or
 * in the text. `shallot@onion` is an onion that the text calls a shallot.
 *
 * A value lists pieces in grams, or portions of foods stated by volume in milliliters: one number, or a
 * small, usual and large one, or a small, usual, medium and large one. `whole` is the meaning of a number
 * without a unit, `portion` the meaning of a name without a number, `cm` a centimeter of length, `ml` a milliliter. `!` means that the weight applies even if a
 * serving has the piece's name, because servings of a "stick" may be cut.
 */
interface Row {
  /** The stems besides the head that the text or the food's name must have. */
  readonly others: readonly string[];
  readonly pieces: ReadonlyMap<string, Piece>;
}

interface Piece {
  readonly grams: readonly [small: number, usual: number, medium: number, large: number];
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

/** Weights of small and large pieces if only the usual weight is known, as shares of it. */
const SMALL = 0.7;
const LARGE = 1.4;
const SIZE_INDEX: ReadonlyMap<string, number> = new Map([
  ['miniature', 0],
  ['small', 0],
  ['thin', 0],
  ['medium', 2],
  ['individual', 1],
  ['large', 3],
  ['thick', 3],
]);

/** First parts of names in food tables that only name a category: "Fish, salmon", "Spices, cinnamon". */
const GROUPS: ReadonlySet<string> = new Set(
  'spice nut seed fish crustacean mollusk squash seaweed melon cheese lettuce mushroom cabbage pork beef lamb veal pepper leavening candy'.split(
    ' ',
  ),
);
/** Last words of names that do not change what a piece of the food is: "Cilantro leaves". */
const FORMS: ReadonlySet<string> = new Set('leaf leave root raw fresh bulb fruit'.split(' '));

/** Words in names of dishes and parts, which are not a piece of the other foods in the name. */
const OTHER_THINGS: ReadonlySet<string> = new Set(
  'sandwich burger meal soup sauce salad pie cake casserole stew curry dip juice drink candy covered coated breaded bar shake smoothie pudding jam jelly powder chip fry stuffed croquette patty kabob dinner toddler babyfood infant breast thigh drumstick leg wing liver gizzard neck ground minced rind flour oil vinegar paste puree spread seasoning mix pastry ring stick biscuit cereal nugget tender roll bun'.split(
    ' ',
  ),
);

/** Rows by the head of their name. */
type Rows = ReadonlyMap<string, readonly Row[]>;
type Blocks = Readonly<Record<string, Readonly<Record<string, string>>>>;
let pieceRows: Rows | undefined;
let portionRows: ReadonlyMap<string, Rows> | undefined;

function readRows(blocks: Blocks): Rows {
  const found = new Map<string, Row[]>();
  for (const [source, block] of Object.entries(blocks)) {
    for (const [keys, value] of Object.entries(block)) {
      const pieces = readPieces(value, source);
      for (const key of keys.split(' | ')) {
        const [said, of] = key.split('@');
        const stems = nameWords(said!).map(({ stem }) => stem);
        const head = of === undefined ? stems.pop()! : stemOf(of);
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
    const grams = readSizes(weights!);
    for (const name of names!.split('|')) pieces.set(name, { grams, isFirm: firm === '!', source });
  }
  return pieces;
}

function readSizes(weights: string): Piece['grams'] {
  const [first, usual, medium, large] = weights.split('/').map(Number) as [number, ...number[]];
  if (usual === undefined) return [SMALL * first, first, first, LARGE * first];
  return large === undefined ? [first, usual, usual, medium!] : [first, usual, medium!, large];
}

export type Pieces = ReadonlyMap<string, Piece>;

/** The pieces of a food by its name and the text; undefined if the table has none. */
export function piecesOf(foodName: string, said: ReadonlySet<string>): Pieces | undefined {
  pieceRows ??= readRows(PIECES);
  // "Chicken with rice" is a dish.
  return / with /i.test(foodName) ? undefined : piecesAmong(pieceRows, foodName, said);
}

/** The portions of a food in the language's region, its other regions, and everywhere, in this order. */
export function portionsOf(
  foodName: string,
  said: ReadonlySet<string>,
  { code, region }: Pick<Language, 'code' | 'region'>,
): Pieces[] {
  portionRows ??= new Map(
    Object.entries(PORTIONS as Readonly<Record<string, Blocks>>).map(([tag, blocks]) => [
      tag,
      readRows(blocks),
    ]),
  );
  return [`${code}-${region}`, code, '*'].flatMap((tag) => {
    const rows = portionRows!.get(tag);
    return (rows && piecesAmong(rows, foodName, said)) ?? [];
  });
}

function piecesAmong(rows: Rows, foodName: string, said: ReadonlySet<string>): Pieces | undefined {
  const isDish = / with /i.test(foodName);
  const words = wordsOfName(foodName);
  const stems = new Set(words.map(({ stem }) => stem));
  let best: Row | undefined;
  let bestRank = -1;
  for (const { head, first } of headsOf(words)) {
    const isOfGroup = first !== undefined && GROUPS.has(first);
    for (const row of rows.get(head) ?? []) {
      if (!row.others.every((stem) => stems.has(stem) || said.has(stem))) continue;
      // "Chicken with rice" is a dish; a row for words of the text may mean it.
      if (isDish && !row.others.some((stem) => !stems.has(stem))) continue;
      // "Bread, banana" is no banana; "Chicken, breast" is a "chicken breast".
      if (first !== undefined && !isOfGroup && !row.others.includes(first)) continue;
      if (words.some(({ stem }) => OTHER_THINGS.has(stem) && stem !== head && !row.others.includes(stem)))
        continue;
      // The food's name takes precedence over the text.
      const rank = row.others.reduce((sum, stem) => sum + (stems.has(stem) ? 6 : 4), Number(isOfGroup));
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

/** The words that may name the food itself: the last ones of the name's parts. */
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

/** Pieces that replace one another if the table has only one of them. */
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

/** Names of pieces that are not units, with the stems of plurals. */
const PIECE_OF_STEM: Readonly<Record<string, string>> = {
  leave: 'leaf',
  halve: 'half',
  loave: 'loaf',
  ...Object.fromEntries('juice jus saft succo zumo jugo suco sumo'.split(' ').map((word) => [word, 'juice'])),
  ...Object.fromEntries(
    'zest zeste zestes abrieb schale scorza scorzetta buccia ralladura cascara raspa casca peel'
      .split(' ')
      .map((word) => [word, 'zest']),
  ),
};

/** Whether a word names a part of a fruit, in any language: "juice of a lemon". */
export function isYield(stem: string): boolean {
  const piece = PIECE_OF_STEM[stem] ?? stem;
  return piece === 'juice' || piece === 'zest';
}

/** Words that say what a number counts: "a whole orange", "half a breast". */
const COUNTED: ReadonlySet<string> = new Set(['whole', 'half', 'piece']);

/** The piece that the words around an amount name: "2 lettuce leaves", "juice of 1 lemon", but not "zest and juice". */
export function pieceNamed(words: Iterable<string>, pieces: Pieces): string | undefined {
  const named = new Set(
    [...words]
      .filter((word) => !COUNTED.has(word))
      .map((word) => PIECE_OF_STEM[word] ?? word)
      .filter((name) => pieces.has(name)),
  );
  if (named.has('juice') && named.has('zest')) return undefined;
  const [first] = named;
  return first;
}

export function typicalPieceOf(
  pieces: Pieces,
  name: string,
  size: string | undefined,
): TypicalPiece | undefined {
  const names = [name, ...(SAME_PIECE[name] ?? [])];
  const piece = names.map((each) => pieces.get(each)).find((each) => each !== undefined);
  return piece && sizedPiece(piece, name === 'whole' ? 'piece' : name, 'g', size);
}

/** The portion from the first table that has one, in the food's basis. */
export function typicalPortionOf(
  portions: readonly Pieces[],
  name: string,
  basis: Basis,
  size: string | undefined,
): TypicalPiece | undefined {
  const piece = portions.map((pieces) => pieces.get(name)).find((each) => each !== undefined);
  return piece && sizedPiece(piece, name === 'whole' ? 'portion' : name, basis, size);
}

function sizedPiece(
  { grams, isFirm, source }: Piece,
  name: string,
  basis: Basis,
  size: string | undefined,
): TypicalPiece | undefined {
  const index = size === undefined ? 1 : SIZE_INDEX.get(size);
  // 0 marks a piece of something else: a piece of pizza is not a whole pizza.
  if (index === undefined || grams[index] === 0) return undefined;
  const each = Math.round(1000 * grams[index]!) / 1000;
  const words = ['typical', ...(index === 1 || grams[index] === grams[1] ? [] : [size]), name];
  return { grams: each, isFirm, text: `${words.join(' ')} of ${each} ${basis} (${source})` };
}
