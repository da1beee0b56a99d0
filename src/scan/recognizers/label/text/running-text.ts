import { GAP, type TextRow } from './rows.ts';

/** Distances in row heights. */
const LINE_SPACING = 2;
const INDENT = 1.5;
/** Spaces between words that the reader separates. */
const WORD_SPACING = 2.5;
/** Minimum rows that continue after an amount in running text; a single one may belong to a table. */
const LEAST_ROWS = 2;
/** An amount of a nutrient with more words after it; percentages of daily values do not count. */
const GOES_ON = /\d\s?(?:m?c?g|kcal|kj)\b.*?(?<!\p{L})(?!kcal)\p{L}{3,}/iu;

/**
 * Joins the rows of running text, in which names and amounts are separated by line breaks: "Fat 8g, Saturated
 * / Fat 3g". Such rows are close together, begin at one margin and continue after amounts.
 */
export function joinRunningText(rows: readonly TextRow[]): TextRow[] {
  const joined: TextRow[] = [];
  let block: TextRow[] = [];
  const close = () => {
    if (block.length > 1 && isText(block)) joined.push(joinRows(block));
    else joined.push(...block);
    block = [];
  };
  for (const row of rows) {
    const last = block.at(-1);
    if (last !== undefined && !(isOnePart(row) && isBelow(row, last))) close();
    block.push(row);
    if (!isOnePart(row)) close();
  }
  close();
  return joined;
}

function isBelow(row: TextRow, last: TextRow): boolean {
  const height = Math.min(row.height, last.height);
  return row.y - last.y <= LINE_SPACING * height && Math.abs(row.xs[0]! - last.xs[0]!) <= INDENT * height;
}

function isOnePart({ text, xs, height }: TextRow): boolean {
  for (let at = text.indexOf(GAP); at >= 0; at = text.indexOf(GAP, at + GAP.length)) {
    const to = xs[at + GAP.length];
    if (to !== undefined && to - xs[at]! > WORD_SPACING * height) return false;
  }
  return true;
}

function isText(rows: readonly TextRow[]): boolean {
  const going = rows.filter(({ text }) => GOES_ON.test(text.replaceAll(/\bDV\b/giu, '')));
  return going.length >= Math.max(LEAST_ROWS, (rows.length - 1) / 2);
}

function joinRows(rows: readonly TextRow[]): TextRow {
  const [first] = rows as readonly [TextRow, ...TextRow[]];
  let text = '';
  const xs: number[] = [];
  for (const row of rows) {
    const isHyphenated = /\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(row.text);
    if (isHyphenated) {
      text = text.slice(0, -1);
      xs.pop();
    } else if (text !== '') {
      text += ' ';
      xs.push(row.xs[0]!);
    }
    text += row.text;
    xs.push(...row.xs);
  }
  return {
    ...first,
    text,
    xs,
    pieces: rows.flatMap(({ pieces }) => pieces),
    lines: rows.flatMap(({ lines }) => lines),
  };
}
