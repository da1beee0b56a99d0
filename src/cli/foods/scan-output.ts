import type { ScanEvent } from '#larder-client';
import { cell, numberCell, percent, printableInLine, toLines } from '../terminal/format.ts';

/** Clears the line. */
const CLEAR_LINE = '\r\u001b[2K';

/** Shows the state of an image in one line; without a terminal only the result. */
export class ScanProgress {
  readonly #stream: NodeJS.WritableStream;
  readonly #isTerminal: boolean;
  #file = '';

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    this.#isTerminal = (stream as NodeJS.WriteStream).isTTY === true;
  }

  begin(file: string): void {
    this.#file = printableInLine(file);
  }

  update(text: string): void {
    if (this.#isTerminal) this.#stream.write(`${CLEAR_LINE}${this.#file}: ${printableInLine(text)}`);
  }

  end(text: string): void {
    this.#stream.write(`${this.#isTerminal ? CLEAR_LINE : ''}${this.#file}: ${printableInLine(text)}\n`);
  }
}

const NAME_WIDTH = 44;
const AMOUNT_WIDTH = 14;
const MACROS = ['energy', 'protein', 'carbohydrates', 'fat'] as const;
const MACRO_WIDTH = 8;
const HOW_WIDTH = 8;

type Result = NonNullable<ScanEvent['result']>;
type Item = Result['items'][number];

/** Formats the foods of the photo, one a line, and their sum if there are several. */
export function scanTable({ items, unknownProducts = [], ...plate }: Result): string {
  const head = [
    cell('food', NAME_WIDTH),
    cell('amount', AMOUNT_WIDTH),
    ...['kcal', 'protein', 'carbs', 'fat'].map((name) => name.padStart(MACRO_WIDTH)),
    cell('how', HOW_WIDTH),
    'sure',
  ];
  const sum = [
    cell('in all', NAME_WIDTH),
    cell(`${round(plate.servingSize)} g`, AMOUNT_WIDTH),
    ...macroCells([plate.calories, plate.protein, plate.carbs, plate.fat]),
  ];
  return toLines([
    head.join('  '),
    ...items.flatMap(itemLines),
    ...(items.length > 1 ? [sum.join('  ')] : []),
    ...unknownProducts.map(
      ({ barcode, name }) => `no food has the barcode ${barcode}${name === undefined ? '' : ` (${name})`}`,
    ),
  ]);
}

function itemLines({ name, servingSize, macros, origin, confidence, unsure, alternatives }: Item): string[] {
  const columns = [
    cell(name, NAME_WIDTH),
    cell(`${round(servingSize.value)} ${servingSize.unit}`, AMOUNT_WIDTH),
    ...macroCells(MACROS.map((key) => macros[key])),
    cell(origin, HOW_WIDTH),
    `${percent(confidence)}${unsure ? ', unsure' : ''}`,
  ];
  const others = alternatives.map((other) => `${other.name} (${percent(other.confidence)})`);
  return [columns.join('  '), ...(others.length > 0 ? [`  or ${others.join(', ')}`] : [])];
}

function macroCells([kcal, ...grams]: readonly number[]): string[] {
  return [numberCell(kcal!, 0, MACRO_WIDTH), ...grams.map((value) => numberCell(value, 1, MACRO_WIDTH))];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
