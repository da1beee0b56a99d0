import { type MealWords, wordsOfAll } from '../../meal-words.ts';
import { endsSentence, isMealLetter, type Token } from '../../tokens.ts';
import { UNITS } from '../../units.ts';
import type { Extent, MealItem } from '../meal-item.ts';
import { stemOf, wordsOfName } from '../names/name-words.ts';
import { isArticle, isMeasured } from '../phrases/phrase.ts';
import type { TextContext } from './context.ts';
import type { TextToRead } from './recipe-line.ts';

/** Stems in any language: words before "with" and "of", dishes that consist of the named foods, and dishes that may have listed parts. */
const MADE = stemsIn(({ made, composing }) => [...made, ...composing]);
const MADE_OF = stemsIn(({ madeOf }) => madeOf);
const PREPARED = stemsIn(({ prepared }) => prepared);
const DISHES = new Set([...PREPARED, ...stemsIn(({ composed, dishes }) => [...composed, ...dishes])]);
const DASH = /^[-–—]$/;

function stemsIn(of: (words: MealWords) => Iterable<string>): ReadonlySet<string> {
  return new Set([...wordsOfAll(of)].map(stemOf));
}

/**
 * The dishes of a meal whose parts the text lists, so that these are counted instead: "Salad: romaine, tomato", "porridge
 * made with 40 g oats", "full English - 2 sausages, 2 eggs".
 */
export function wholesToldByParts<Item extends MealItem>(
  items: readonly Item[],
  read: TextToRead,
  context: TextContext,
): ReadonlyMap<Item, Extent> {
  const wholes = new Map<Item, Extent>();
  if (context !== 'meal') return wholes;
  const { tokens } = read;
  const hasOneDash = tokens.filter(isSpacedDash).length === 1;
  let from = 0;
  for (const [at, item] of items.slice(0, -1).entries()) {
    while (from < tokens.length && tokens[from]!.end <= item.start) from++;
    const next = items[at + 1]!;
    if (next.start < item.end || !mayBeTold(item, read)) continue;
    const amount = next.amount !== undefined && !isArticle(next.amount) ? next.amount : undefined;
    const begin = Math.min(next.start, amount?.start ?? next.start);
    const after = tokensBetween(tokens, from, item.start, begin);
    if (after === undefined) continue;
    const isCounted = amount !== undefined && amount.start < next.start;
    const isSeveral = tokensBetween(tokens, from, item.start, items[at + 2]?.start) !== undefined;
    const between = after.filter(({ start }) => start >= item.end);
    const [link, ...others] = between.filter(({ kind }) => kind === 'word');
    const isMade = MADE.has(stemOf(after.at(-2)?.folded ?? '')) && after.at(-1)!.kind === 'word';
    const isOfPart = link !== undefined && others.length === 0 && MADE_OF.has(stemOf(link.folded));
    // "Soup (leftover), bread" lists no parts.
    const closed = between.findLastIndex(({ text }) => text === ')');
    const open = between.filter(({ text }, place) => text !== '(' || place > closed);
    const isOpened = open.some(
      (token, place) =>
        (/^[:(]$/.test(token.text) && !isMealLetter(open[place - 1], token)) ||
        (hasOneDash && isSpacedDash(token)),
    );
    const isTold =
      isCounted && (isMade || isOfPart || arePartsMeasured(items, at)) && isOf(item, read, PREPARED);
    if (isTold || (isOpened && (isCounted || isSeveral))) wholes.set(item, item);
  }
  return wholes;
}

/** Parts whose amounts describe a dish without a joining word: "porridge 40 g oats 200 ml milk". */
const MEASURED_PARTS = 2;

/** Whether the amounts of the next foods follow an item without a sign or a word between them, and one of them measures. */
function arePartsMeasured(items: readonly MealItem[], at: number): boolean {
  const parts = items.slice(at + 1, at + 1 + MEASURED_PARTS);
  const arePrecise = parts.every(({ amount, link, start }) => {
    const isBefore = amount !== undefined && !isArticle(amount) && amount.start < start;
    return isBefore && link === '';
  });
  return parts.length === MEASURED_PARTS && arePrecise && parts.some(({ amount }) => isMeasured(amount!));
}

/** Whether a word names a dish whose parts may stand beside it: "porridge", "smoothie". */
export function isPreparedDish(stem: string): boolean {
  return PREPARED.has(stem);
}

/** Whether an item is a dish, or a food with a colon, whose weight nobody states: "Fruit: apple, pear". */
function mayBeTold(item: MealItem, read: TextToRead): boolean {
  const { amount, end } = item;
  if (!countsOnce(item)) return false;
  // A space precedes the colon in French.
  const isHeading =
    amount === undefined &&
    read.tokens.some(({ text, start }) => text === ':' && start >= end && start <= end + 1);
  return isHeading || isOf(item, read, DISHES);
}

/** The tokens from one on that begin between two offsets; undefined if there is a break among them, or no second offset. */
function tokensBetween(
  tokens: readonly Token[],
  from: number,
  start: number,
  end: number | undefined,
): readonly Token[] | undefined {
  if (end === undefined) return undefined;
  const between: Token[] = [];
  for (let at = from; at < tokens.length && tokens[at]!.end <= end; at++) {
    const { kind, text } = tokens[at]!;
    if (kind === 'break' || text === ';' || endsSentence(tokens, at)) return undefined;
    if (tokens[at]!.start >= start) between.push(tokens[at]!);
  }
  return between;
}

function isSpacedDash({ text, joined }: Token): boolean {
  return DASH.test(text) && !joined;
}

/** Whether an item is one dish, perhaps in a bowl or on a plate, whose weight nobody states. */
function countsOnce({ amount, hits }: MealItem): boolean {
  if (hits.length === 0) return false;
  if (amount === undefined || isArticle(amount)) return true;
  const isHeld =
    amount.unit !== undefined && (UNITS[amount.unit].kind === 'container' || amount.unit === 'serving');
  return amount.quantity === 1 && isHeld && !isMeasured(amount);
}

/** Whether a word of an item, or of the English name of its food, is one of these stems. */
function isOf({ words, hits }: MealItem, { names }: TextToRead, stems: ReadonlySet<string>): boolean {
  const named = wordsOfName(names.foodAt(hits[0]!.document).name).filter(({ part }) => part === 0);
  return [...words, ...named].some(({ stem }) => stems.has(stem));
}
