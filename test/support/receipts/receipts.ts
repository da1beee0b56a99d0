import { readFileSync } from 'node:fs';

export type ReceiptSet = 'tuned' | 'kept';

/** A product that receipts of the tests print. */
interface Product {
  readonly language: string;
  readonly set: ReceiptSet;
  readonly printed: string;
  /** The price of one, or of a kilogram. */
  readonly cents: number;
  readonly by: 'piece' | 'kg';
  /** Names of foods that are right; undefined for what is none, or whose name nobody can know. */
  readonly food: RegExp | undefined;
}

/** What a line of a receipt says. */
export interface TrueLine {
  readonly text: string;
  readonly price: string;
  readonly quantity?: { readonly value: number; readonly unit?: string };
  readonly food: RegExp | undefined;
}

/** A receipt of equally wide letters, with what it says. */
export interface DrawnReceipt {
  readonly rows: readonly string[];
  readonly lines: readonly TrueLine[];
  readonly currency: string | undefined;
}

/** How the receipts of a shop look. */
export interface ReceiptLayout {
  readonly name: string;
  readonly language: string;
  readonly set: ReceiptSet;
  readonly columns: number;
  readonly currency: string | undefined;
  readonly point: ',' | '.';
  readonly head: readonly string[];
  /** Rows of one product. */
  readonly product: (sold: Sold, print: Printer) => readonly string[];
  /** Rows between products that name none, such as a deposit or a discount. */
  readonly between: (print: Printer) => readonly string[];
  readonly foot: (total: string, print: Printer) => readonly string[];
}

/** A product with how much of it was bought. */
export interface Sold {
  readonly name: string;
  /** Pieces, or kilograms. */
  readonly count: number;
  readonly by: 'piece' | 'kg';
  readonly each: string;
  readonly price: string;
}

export interface Printer {
  /** Left and right parts of a row. */
  row(left: string, right: string): string;
  middle(text: string): string;
  /** A number with these decimals. */
  number(value: number, decimals: number): string;
}

/** Numbers from 0 to 1. */
type Random = () => number;

const PRODUCTS: readonly Product[] = readFileSync(new URL('./products.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [language, set, printed, cents, by, food] = line.split('\t') as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return {
      language,
      set: set as ReceiptSet,
      printed,
      cents: Number(cents),
      by: by as Product['by'],
      food: food === '-' ? undefined : new RegExp(food),
    };
  });

/** A receipt in the layout, of products of its set. */
export function drawReceipt(layout: ReceiptLayout, random: Random, products = 9): DrawnReceipt {
  const { columns, point } = layout;
  const print: Printer = {
    row: (left, right) =>
      `${left.padEnd(columns - right.length - 1).slice(0, columns - right.length - 1)} ${right}`,
    middle: (text) => ' '.repeat(Math.max(0, Math.floor((columns - text.length) / 2))) + text,
    number: (value, decimals) => value.toFixed(decimals).replace('.', point),
  };
  const pool = PRODUCTS.filter(({ language, set }) => language === layout.language && set === layout.set);
  const chosen = shuffled(pool, random).slice(0, products);
  const rows: string[] = [...layout.head];
  const lines: TrueLine[] = [];
  let total = 0;
  for (const [at, { printed, cents, by, food }] of chosen.entries()) {
    const isMany = random() < 0.3;
    const count =
      by === 'kg' ? Math.round(200 + 1300 * random()) / 1000 : isMany ? 2 + Math.floor(2 * random()) : 1;
    const paid = Math.round(count * cents);
    total += paid;
    const money = (value: number) => print.number(value / 100, 2);
    rows.push(...layout.product({ name: printed, count, by, each: money(cents), price: money(paid) }, print));
    lines.push({
      text: printed,
      price: (paid / 100).toFixed(2),
      ...(by === 'kg' && { quantity: { value: count, unit: 'kg' } }),
      ...(by === 'piece' && count > 1 && { quantity: { value: count } }),
      food,
    });
    if (at % 4 === 3) rows.push(...layout.between(print));
  }
  rows.push(...layout.foot(print.number(total / 100, 2), print));
  return { rows, lines, currency: layout.currency };
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  return all
    .map((each) => ({ each, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}
