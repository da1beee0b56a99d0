import {
  type Counted,
  countedIn,
  decimalText,
  type Money,
  type PriceAtEnd,
  priceAtEnd,
  type ReceiptQuantity,
  sizeIn,
} from './receipt-amounts.ts';
import type { ReceiptLanguage, ReceiptWords } from './receipt-words.ts';

/** A row of the receipt as it was read, from the top. */
export interface PrintedRow {
  /** Two spaces stand between its parts. */
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** A product on a receipt. */
export interface ReceiptLine {
  /** Its name as printed. */
  readonly text: string;
  /** The name in whole words, without sizes and brands of shops; empty if nothing is left. */
  readonly name: string;
  /** How many, or how much by weight; absent where it is not printed. */
  readonly quantity?: ReceiptQuantity;
  /** The size of one package as its name has it. */
  readonly size?: ReceiptQuantity;
  /** What the line costs, as decimal text. */
  readonly price: string;
  /** What one piece, or one unit of `quantity`, costs. */
  readonly unitPrice?: string;
  readonly currency?: string;
  /** 0 to 1: how legible the name is. */
  readonly confidence: number;
}

export interface ReadReceipt {
  /** The language of its words; absent if they do not tell it. */
  readonly language?: ReceiptLanguage;
  readonly lines: readonly ReceiptLine[];
}

/** Maximum products of one receipt. */
export const MAX_RECEIPT_LINES = 100;
/** Fewer letters are no name. */
const LEAST_LETTERS = 2;
/** Share of priced rows that have a column of tax rates, or of counts, for it to be one. */
const MOST_ROWS = 0.6;
/** Rows with such a column at least. */
const LEAST_ROWS = 2;
/** Cents by which a printed price may differ from its product, for rounding. */
const ROUNDING_CENTS = 1;

const TAX_RATE = /(?:^|\s)\d{1,2}(?:[.,]\d{1,2})?\s?%\s*$/;
const COUNT_FIRST = /^(\d{1,2})\s*(?:[x×*]\s?)?(?=\s*\p{L}{2})/u;
const TIMES_FIRST = /^(\d{1,2})\s?[x×*]\s+(?=\p{L})/iu;
/** Codes of products, and their flags. */
const CODE = /(?:^|\s)\d{6,14}(?:\s+\p{Lu}{1,2}\b)?(?=\s|$)/gu;
/** "(1 L = 1,19)" repeats the price. */
const COMPARISON = /\b1\s?(?:kg|l|lt|st|100\s?g)\s?=|\b(?:\/|je|al|per)\s?(?:kg|100\s?g)\s*[):]/iu;
/** A date, a time or a telephone number, whose end looks like a price. */
const DATE = /\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}:\d{2}\b|\btel\b/iu;

/** The parts of a row. */
interface Row extends PrintedRow {
  /** What is before the price. */
  readonly before: string;
  readonly price: Money | undefined;
  readonly counted: Counted | undefined;
}

/** A product as it is put together of its rows. */
interface Draft {
  readonly name: string;
  readonly confidence: number;
  readonly price: Money | undefined;
  readonly quantity?: ReceiptQuantity;
  readonly each?: Money;
}

/**
 * Reads the products of a receipt from its rows. Whatever is no product is left out: heads, totals, taxes, payments, deposits,
 * discounts and dates. A product is what has a name and a price; amounts may stand in a row of their own above or below it.
 */
export function readReceipt(printed: readonly PrintedRow[], words: ReceiptWords): ReadReceipt {
  const language = words.languageOf(printed.map(({ text }) => text));
  const products = new Products();
  for (const row of withoutTaxColumn(printed.map(rowOf))) {
    if (COMPARISON.test(row.text)) continue;
    const kind = words.kindOf(row.before.replace(CODE, ' '));
    if (kind === 'total' && row.price !== undefined && products.hasAny) break;
    const isNegative = row.price !== undefined && row.price.cents < 0;
    if (isNegative || (kind !== undefined && row.counted === undefined)) products.interrupt();
    else products.add(row);
  }
  products.interrupt();
  const counted = withCounts(products.drafts.filter(({ price }) => price !== undefined && price.cents > 0));
  const currency = printed.map(({ text }) => signIn(text)).find((sign) => sign !== undefined);
  const lines = counted.slice(0, MAX_RECEIPT_LINES).map((draft) => lineOf(draft, currency, words, language));
  return { ...(language !== undefined && { language }), lines };
}

/** Puts products together of the rows that may be of them. */
class Products {
  readonly drafts: Draft[] = [];
  /** A name without a price, which may follow. */
  #open: Draft | undefined;
  /** An amount without a name: that of the open name, or of the next one. */
  #ahead: Counted | undefined;

  get hasAny(): boolean {
    return this.drafts.some(({ price }) => price !== undefined);
  }

  /** What follows belongs to nothing that came before. */
  interrupt(): void {
    const [open, ahead] = [this.#open, this.#ahead];
    if (open !== undefined && ahead !== undefined) this.drafts.push(priced(open, ahead, productOf(ahead)));
    this.#open = undefined;
    this.#ahead = undefined;
  }

  add(row: Row): void {
    const name = nameOf(row);
    if (countLetters(name) < LEAST_LETTERS) this.#addAmount(row);
    else if (DATE.test(row.text)) this.interrupt();
    else this.#addName({ name, confidence: row.confidence, price: row.price }, row);
  }

  /** A row with an amount, a code or a price alone. */
  #addAmount({ counted, price }: Row): void {
    const open = this.#open;
    if (open !== undefined && price !== undefined) {
      this.drafts.push(priced(open, counted ?? this.#ahead, price));
      this.#drop();
      return;
    }
    const last = this.drafts.at(-1);
    if (open === undefined && counted !== undefined && last !== undefined && fits(counted, last.price)) {
      this.drafts[this.drafts.length - 1] = { ...last, quantity: counted.quantity, each: counted.each };
    } else if (counted !== undefined) this.#ahead = counted;
  }

  #addName(draft: Draft, { counted, price }: Row): void {
    const ahead = this.#ahead;
    // The name before the amount was a head.
    const isAhead = ahead !== undefined && counted === undefined && fits(ahead, price);
    if (isAhead) this.#drop();
    else this.interrupt();
    if (price === undefined && counted === undefined) this.#open = draft;
    else if (counted !== undefined) this.drafts.push(priced(draft, counted, price ?? productOf(counted)));
    else this.drafts.push(isAhead ? priced(draft, ahead, price!) : draft);
  }

  #drop(): void {
    this.#open = undefined;
    this.#ahead = undefined;
  }
}

function rowOf({ text, confidence }: PrintedRow): Row {
  const end = priceAtEnd(text);
  const counted = countedIn(text);
  // "2 x 1,29" alone: the price is of one.
  const isOfOne = counted !== undefined && end !== undefined && end.before.length < counted.end;
  const price = isOfOne ? undefined : end?.money;
  return { text, confidence, before: beforeOf(text, isOfOne ? undefined : end), price, counted };
}

function beforeOf(text: string, end: PriceAtEnd | undefined): string {
  return end === undefined ? text : end.before;
}

/** Rates of tax stand before the price on receipts of some countries; alone they would look like the fat of a milk. */
function withoutTaxColumn(rows: readonly Row[]): Row[] {
  const priced = rows.filter(({ price }) => price !== undefined);
  const rated = priced.filter(({ before }) => TAX_RATE.test(before));
  if (rated.length < LEAST_ROWS || rated.length < MOST_ROWS * priced.length) return [...rows];
  return rows.map((row) =>
    row.price === undefined ? row : { ...row, before: row.before.replace(TAX_RATE, '') },
  );
}

/** The name of a row, as printed. */
function nameOf({ before, counted }: Row): string {
  const text =
    counted === undefined ? before : `${before.slice(0, counted.start)} ${before.slice(counted.end)}`;
  return text
    .replace(CODE, ' ')
    .replace(/(?:€|£|\$)\s*$/u, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s*#.:;,-]+|[\s*#:;-]+$|(?<!\p{L})\.+$/gu, '');
}

function priced(draft: Draft, counted: Counted | undefined, price: Money): Draft {
  if (counted === undefined) return { ...draft, price };
  return { ...draft, price, quantity: counted.quantity, each: counted.each };
}

function productOf({ quantity, each }: Counted): Money {
  return { ...each, cents: Math.round(quantity.value * each.cents) };
}

function fits(counted: Counted, price: Money | undefined): boolean {
  return price !== undefined && Math.abs(productOf(counted).cents - price.cents) <= ROUNDING_CENTS;
}

/** Takes the counts that names begin with: those with a sign, and all if most names have one. */
function withCounts(drafts: readonly Draft[]): Draft[] {
  const begun = drafts.filter(({ name }) => COUNT_FIRST.test(name));
  const isColumn = begun.length >= LEAST_ROWS && begun.length >= MOST_ROWS * drafts.length;
  return drafts.map((draft) => {
    const found = (isColumn ? COUNT_FIRST : TIMES_FIRST).exec(draft.name);
    if (found === null) return draft;
    const count = Number(found[1]);
    const name = draft.name.slice(found[0].length).trim();
    if (draft.quantity !== undefined || count === 0) return { ...draft, name };
    return withUnitPrice({ ...draft, name, quantity: { value: count } });
  });
}

/** "2 YOGUR NATURAL  1,10  2,20": the price of one stands before that of the line. */
function withUnitPrice(draft: Draft): Draft {
  const { name, price, quantity } = draft;
  const end = priceAtEnd(name);
  if (end === undefined || price === undefined || quantity === undefined) return draft;
  const isEach = Math.abs(end.money.cents * quantity.value - price.cents) <= ROUNDING_CENTS;
  return isEach ? { ...draft, name: end.before, each: end.money } : draft;
}

function lineOf(
  { name, confidence, price, quantity, each }: Draft,
  printed: string | undefined,
  words: ReceiptWords,
  language: ReceiptLanguage | undefined,
): ReceiptLine {
  const sized = sizeIn(name);
  const currency = price!.currency ?? each?.currency ?? printed;
  return {
    text: name,
    name: words.spellOut(sized?.rest ?? name, language),
    ...(quantity !== undefined && { quantity }),
    ...(sized !== undefined && { size: sized.size }),
    price: decimalText(price!.cents),
    ...(each !== undefined && { unitPrice: decimalText(each.cents) }),
    ...(currency !== undefined && { currency }),
    confidence,
  };
}

const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/€|\bEUR(?:O)?\b/iu, 'EUR'],
  [/£|\bGBP\b/iu, 'GBP'],
  [/\bCHF\b/u, 'CHF'],
  [/\bUSD\b/u, 'USD'],
  [/\$/u, '$'],
];

function signIn(text: string): string | undefined {
  return SIGNS.find(([sign]) => sign.test(text))?.[1];
}

function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}
