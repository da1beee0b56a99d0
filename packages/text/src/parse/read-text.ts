import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Food, Serving } from '@larder/core/food.ts';
import { FIELD_NUTRIENTS } from '@larder/core/nutrients.ts';
import { MIN_SERVING_AMOUNT, round, scaleToServing } from '@larder/core/rounding.ts';
import type { TextPart } from '../ingredient-line.ts';
import { CachingFinder } from './caching-finder.ts';
import { type AssumedPortion, assumedPortionOf } from './grams/assumed-portion.ts';
import { type ParseOptions, parseInSteps, textToRead, unknownItem } from './parse-foods.ts';
import type { ParsedItem } from './parsed-item.ts';
import { budgetOf } from './reading-budget.ts';
import { contextOf, type TextContext } from './structure/context.ts';

/** Maximum characters of one text. */
export const MAX_TEXT_LENGTH = 2_000;
/** Maximum lines of a list, characters of each line, and characters of all lines. */
export const MAX_LINES = 100;
export const MAX_LINE_LENGTH = 500;
export const MAX_LINES_LENGTH = 10_000;
/** A text counts as one search for each started group of this many lines, or of this many characters. */
const LINES_OF_A_SEARCH = 10;
const LENGTH_OF_A_SEARCH = 500;
/** Maximum items with alternatives, so that responses are smaller than a megabyte. */
const MAX_WITH_ALTERNATIVES = 100;
const LINE_BREAK = /\r\n|\n|\r/;
/** Maximum amount in g or ml; over 100 kg is a misreading, and no serving can be below the minimum. */
const MAX_AMOUNT = 100_000;

export const TOTAL_KEYS = Object.keys(FIELD_NUTRIENTS) as readonly (keyof typeof FIELD_NUTRIENTS)[];
export type TextTotals = Record<keyof typeof FIELD_NUTRIENTS, number>;

/** One food of a text, ready to be shown or logged. */
export interface TextItem {
  /** The words that name the food, with UTF-16 offsets in the text, or in the line of a list. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Line number from 0; absent for a text of one line. */
  readonly line?: number;
  /** The quantity as written, or null if the text has none. */
  readonly quantity: number | null;
  readonly unit: string | null;
  /** In ml for a food whose nutrients are per 100 ml. Null if unknown, as of a food that is counted in servings. */
  readonly grams: number | null;
  /** The food, whose first serving is the amount of the text, if that is known. */
  readonly food: Food | null;
  readonly alternatives: readonly Food[];
  readonly confidence: number;
  /** The source of the grams. */
  readonly note?: string;
  readonly assumed: readonly string[];
  /** Assumptions by which an amount without a weight became grams. */
  readonly portion?: AssumedPortion;
  /** As of `ParsedItem`. */
  readonly asEaten?: string;
  readonly unresolved?: 'food' | 'amount';
}

/** A part of a text, or of the line of a list, that names no food. */
export interface IgnoredText extends TextPart {
  /** Like the line of an item. */
  readonly line?: number;
}

export interface ReadText {
  readonly items: readonly TextItem[];
  readonly ignored: readonly IgnoredText[];
  readonly context: TextContext;
  /** Totals of the resolved items; unstated nutrients count as 0. */
  readonly totals: TextTotals;
  /** Number of items without food or grams. */
  readonly unresolved: number;
}

/**
 * The number of searches that a text or list counts as in the caller's limit, according to the work that it
 * may cause.
 */
export function searchesOf(text: string | readonly string[]): number {
  const lines = typeof text === 'string' ? text.split(LINE_BREAK, MAX_LINES) : text;
  const length = typeof text === 'string' ? text.length : text.reduce((sum, line) => sum + line.length, 0);
  return Math.max(
    1,
    Math.ceil(Math.min(lines.length, MAX_LINES) / LINES_OF_A_SEARCH),
    Math.ceil(length / LENGTH_OF_A_SEARCH),
  );
}

/** Reads a text line by line, or a list of lines. Throws as `parseFoods` does. */
export async function readText(text: string | readonly string[], options: ParseOptions): Promise<ReadText> {
  const { items: explained, ...others } = await explainText(text, options);
  const items = explained.map(({ item }, at) =>
    at < MAX_WITH_ALTERNATIVES ? item : { ...item, alternatives: [] },
  );
  return { ...summed(items), ...others };
}

export interface ExplainedItem {
  readonly item: TextItem;
  /** The parsed item. Its offsets are those in the line. */
  readonly parsed: ParsedItem;
}

export interface ExplainedText extends Pick<ReadText, 'ignored' | 'context'> {
  readonly items: readonly ExplainedItem[];
}

/** Does the same as `readText`, and returns the parsed item with each item. */
export async function explainText(
  text: string | readonly string[],
  options: ParseOptions,
): Promise<ExplainedText> {
  const budget = budgetOf(text, searchesOf(text));
  const finder = new CachingFinder(options.finder);
  const lines = linesOf(text);
  const isArray = typeof text !== 'string';
  const context =
    options.context ??
    (lines.length > 1
      ? contextOf(
          lines.map((line) => textToRead(line.text, options)),
          { isArray },
        )
      : undefined);
  const isGuess = options.context === undefined;
  const items: ExplainedItem[] = [];
  const ignored: IgnoredText[] = [];
  const contexts = new Set<TextContext>();
  for (const [at, line] of lines.entries()) {
    if (at > 0) await nextTurn();
    const read = await readLine(line, { ...options, finder, budget, context, isGuess, isArray });
    items.push(...read.items);
    ignored.push(...read.ignored);
    contexts.add(read.context);
  }
  return { items, ignored, context: context ?? (contexts.has('recipe') ? 'recipe' : 'meal') };
}

export function summed(items: readonly TextItem[]): ReadText {
  const unresolved = items.filter((item) => item.unresolved !== undefined).length;
  return { items, ignored: [], context: 'meal', totals: totalsOf(items), unresolved };
}

interface TextLine {
  readonly text: string;
  /** The offset of the line in the text. */
  readonly offset: number;
  readonly line?: number;
}

function linesOf(text: string | readonly string[]): TextLine[] {
  if (typeof text !== 'string') return text.map((line, at) => ({ text: line, offset: 0, line: at }));
  const lines: TextLine[] = [];
  let offset = 0;
  for (const [at, line] of text.split(/(\r\n|\n|\r)/).entries()) {
    if (at % 2 === 0) lines.push({ text: line, offset, line: at / 2 });
    offset += line.length;
  }
  const written = lines.filter((line) => line.text.trim() !== '');
  return written.length > 1
    ? written
    : written.map(({ text: only, offset: from }) => ({ text: only, offset: from }));
}

/**
 * Reads one line. A line with words and no food is one item without a food. Other work of the thread can run
 * before each search.
 */
async function readLine({ text, offset, line }: TextLine, options: ParseOptions): Promise<ExplainedText> {
  const steps = parseInSteps(text, options);
  let step = steps.next();
  while (step.done !== true) {
    await nextTurn();
    step = steps.next();
  }
  const { items, ignored, context } = step.value;
  const isUnknown = items.length === 0 && /\p{L}/u.test(text);
  return {
    items: (isUnknown ? [unknownFood(text)] : items).map((parsed) => ({
      item: toTextItem(parsed, offset, line),
      parsed,
    })),
    context,
    ignored: (isUnknown ? [] : ignored).map(({ text: words, start, end }) => ({
      text: words,
      start: offset + start,
      end: offset + end,
      ...(line !== undefined && { line }),
    })),
  };
}

function unknownFood(text: string): ParsedItem {
  const start = text.length - text.trimStart().length;
  const words = text.trim();
  return unknownItem({ text: words, start, end: start + words.length });
}

function toTextItem(item: ParsedItem, offset: number, line: number | undefined): TextItem {
  const { text, amount, food, source, assumed } = item;
  const size = gramsOf(item.basisAmount);
  const grams = food?.isCounted ? undefined : size;
  const unresolved = food === undefined ? 'food' : size === undefined ? 'amount' : undefined;
  const portion =
    food === undefined || grams === undefined || source === undefined
      ? undefined
      : assumedPortionOf(food, { basisAmount: grams, source }, amount);
  return {
    text,
    start: offset + item.start,
    end: offset + item.end,
    ...(line !== undefined && { line }),
    quantity: amount === undefined ? null : round(amount.quantity),
    unit: amount?.unit ?? amount?.container ?? amount?.size ?? null,
    grams: grams ?? null,
    food: food === undefined ? null : withAmount(food, size),
    alternatives: item.alternatives.map((other) => withAmount(other.food, gramsOf(other.basisAmount))),
    confidence: unresolved === undefined ? round(item.confidence) : 0,
    ...(size !== undefined && source !== undefined && { note: source }),
    assumed: size === undefined ? [] : assumed,
    ...(portion !== undefined && { portion }),
    ...(item.asEaten !== undefined && { asEaten: item.asEaten }),
    ...(unresolved !== undefined && { unresolved }),
  };
}

function gramsOf(basisAmount: number | undefined): number | undefined {
  if (basisAmount === undefined || !(basisAmount <= MAX_AMOUNT)) return undefined;
  const rounded = round(basisAmount);
  return rounded >= MIN_SERVING_AMOUNT ? rounded : undefined;
}

/** The food with this amount as its first serving. */
function withAmount(food: Food, size: number | undefined): Food {
  if (size === undefined) return food;
  const [serving] = food.servings;
  const first: Serving = food.isCounted
    ? { value: round(size / serving.basisAmount), unit: serving.unit, basisAmount: size }
    : { value: size, unit: food.basis, basisAmount: size };
  return { ...food, servings: [first, ...food.servings] };
}

/** One nutrient of an item's amount, rounded as in responses. */
export function nutrientOf({ food, unresolved }: TextItem, key: keyof TextTotals): number {
  if (food === null || unresolved !== undefined) return 0;
  return round(scaleToServing(food.per100[FIELD_NUTRIENTS[key]] ?? 0, food.servings[0]));
}

/** Sums whole thousandths, which is exact: the totals equal the sums of the shown amounts. */
function totalsOf(items: readonly TextItem[]): TextTotals {
  const sum = (key: keyof TextTotals) =>
    items.reduce((total, item) => total + Math.round(nutrientOf(item, key) * 1000), 0) / 1000;
  return Object.fromEntries(TOTAL_KEYS.map((key) => [key, sum(key)])) as TextTotals;
}
