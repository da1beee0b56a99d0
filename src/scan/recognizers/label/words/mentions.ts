import { GAP, type TextRow } from '../text/rows.ts';
import { FILLER } from './align-cells.ts';
import {
  type AmountUnit,
  findPrintedAmounts,
  inPrintedUnit,
  type PrintedAmount,
  unitsBefore,
} from './amounts.ts';
import type { LabelNutrient, NutrientWords } from './nutrient-words.ts';

/** A printed amount with its position, in pixels along the rows. */
export interface PlacedAmount extends PrintedAmount {
  readonly x: number;
}

/** A nutrient with the amounts that follow its name. */
export interface Mention {
  readonly nutrient: LabelNutrient;
  readonly amounts: readonly PlacedAmount[];
  readonly row: TextRow;
}

/** Text under a table about other things: recommended amounts, energy per gram. */
const FOOTER =
  /daily\s*values?\s*(?:are|tells)|per\s*gram|calorie\s*di|reference\s*intake\s*of|your\s*daily|less\s*than\s*\d+\s*m?g\s*\d+|referenzmenge|apports?\s*de\s*reference/iu;
/** Number of nutrients before such text counts as a footer, because some labels begin with it. */
const MIN_BEFORE_FOOTER = 4;
/** Maximum distance of the words of one name, in row heights. */
const BLOCK_SPACING = 1.5;
/** Maximum distance between a name and amounts in the next row, in row heights. */
const NEXT_ROW = 2.2;

/** Reads rows like text: a name, then its amounts, until the next name. */
export function findMentions(rows: readonly TextRow[], words: NutrientWords): Mention[] {
  const mentions: Mention[] = [];
  let waiting: Waiting | undefined;
  for (const row of rows) {
    if (mentions.length >= MIN_BEFORE_FOOTER && FOOTER.test(row.text)) break;
    const parts = splitRow(row, words);
    const [first] = parts;
    if (first?.nutrient === undefined && first !== undefined && isJustAbove(waiting, row, first.amounts)) {
      continueMention(mentions, waiting, first.amounts, row);
    }
    for (const { nutrient, amounts } of parts) {
      if (nutrient !== undefined && amounts.length > 0) mentions.push({ nutrient, amounts, row });
    }
    if (parts.length > 0) waiting = waitingAfter(parts.at(-1)!, row);
  }
  return mentions;
}

/** A name whose amounts may be in the next row. */
interface Waiting {
  readonly nutrient: LabelNutrient;
  readonly row: TextRow;
}

/** Energy in kcal is often below that in kJ, without a name. */
function waitingAfter({ nutrient, amounts }: Part, row: TextRow): Waiting | undefined {
  if (nutrient === undefined) return undefined;
  return amounts.length === 0 || nutrient === 'energy' ? { nutrient, row } : undefined;
}

/** Amounts left of the name's own text are those of another column of text. */
function isJustAbove(
  waiting: Waiting | undefined,
  row: TextRow,
  amounts: readonly PlacedAmount[],
): waiting is Waiting {
  if (waiting === undefined) return false;
  const { text, xs, height, y } = waiting.row;
  const left = xs[text.lastIndexOf(GAP) < 0 ? 0 : text.lastIndexOf(GAP) + GAP.length] ?? 0;
  const isBelow = row.y - y <= NEXT_ROW * Math.max(height, row.height);
  return isBelow && amounts.some(({ x }) => x >= left - height);
}

function continueMention(
  mentions: Mention[],
  { nutrient, row: nameRow }: Waiting,
  amounts: readonly PlacedAmount[],
  row: TextRow,
): void {
  const last = mentions.at(-1);
  if (last?.nutrient === nutrient && last.row === nameRow) {
    mentions[mentions.length - 1] = { ...last, amounts: [...last.amounts, ...amounts] };
  } else mentions.push({ nutrient, amounts, row });
}

interface Part {
  readonly nutrient: LabelNutrient | undefined;
  readonly amounts: readonly PlacedAmount[];
}

/** The text from a position of the row on, cut where blocks of text stand beside each other. */
function blocksIn(text: string, from: number, { xs, height }: TextRow): string[] {
  const blocks: string[] = [];
  let start = 0;
  for (let at = text.indexOf(GAP); at >= 0; at = text.indexOf(GAP, at + GAP.length)) {
    const [left, right] = [xs[from + at - 1], xs[from + at + GAP.length]];
    if (left === undefined || right === undefined || right - left <= BLOCK_SPACING * height) continue;
    blocks.push(text.slice(start, at));
    start = at + GAP.length;
  }
  return [...blocks, text.slice(start)];
}

function splitRow(row: TextRow, words: NutrientWords): Part[] {
  const parts: { nutrient: LabelNutrient | undefined; amounts: PlacedAmount[] }[] = [];
  let units: readonly AmountUnit[] = [];
  let end = 0;
  let current: (typeof parts)[number] | undefined;
  const name = (between: string, from: number) => {
    const blocks = blocksIn(between, from, row);
    const nutrient = blocks.map((block) => words.find(block)).findLast((found) => found !== undefined);
    // Names and amounts of another table stand beside this one.
    const isOther = blocks.length > 1 && /\p{L}{4}/u.test(blocks.at(-1)!.replaceAll(FILLER, ''));
    if (nutrient === undefined && current !== undefined && !isOther) return;
    current = { nutrient, amounts: [] };
    units = [];
    parts.push(current);
  };
  // Inside a word a round digit is a letter: "S6l", "porci6n".
  const text = row.text.replace(/(?<=\p{L})[06](?=\p{L})(?!.m?c?g\b)/gu, 'o');
  for (const amount of findPrintedAmounts(text)) {
    const between = text.slice(end, amount.from);
    name(between, end);
    units = unitsBefore(between) ?? units;
    const unit = units[current!.amounts.length % Math.max(1, units.length)];
    const x = ((row.xs[amount.from] ?? 0) + (row.xs[amount.to - 1] ?? 0)) / 2;
    current!.amounts.push({ ...(unit === undefined ? amount : inPrintedUnit(amount, unit)), x });
    end = amount.to;
  }
  const rest = words.find(text.slice(end));
  if (rest !== undefined) parts.push({ nutrient: rest, amounts: [] });
  return parts;
}
