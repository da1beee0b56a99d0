import type { Photo, Pixels } from '../../images/photo.ts';
import type { Recognition, Recognizer } from '../../recognizer.ts';
import type { Box } from '../../scan-result.ts';
import { croppedTo } from '../label/text/grey-image.ts';
import { type TextRow, toRows } from '../label/text/rows.ts';
import type { TextLine } from '../label/text/text-line.ts';
import { TEXT_READER_VERSION, type TextReader } from '../label/text/text-reader.ts';
import { type PrintedRow, readReceipt } from './read-receipt.ts';
import { ReceiptWords } from './receipt-words.ts';

/** Longer side of the image in which text is looked for. */
const LOOK_PX = 1600;
/** Longer side of the photo that is read; that of 12 megapixels. */
const READ_PX = 4096;
/** Longer side of a part that is read at once. */
const PART_PX = 1600;
/** Height of a part, in widths of the receipt: long receipts are read in several. */
const PART_SHAPE = 1.25;
const MAX_PARTS = 5;
/** How far parts reach into each other, as a share of their height: a row that one cuts is whole in the other. */
const OVERLAP = 0.12;
const NOTHING =
  'No products with prices could be read on the receipt; a photo of it from above, in good light and filling the picture, may help.';
const WHOLE: Box = { left: 0, top: 0, width: 1, height: 1 };

/** Reads the products of a receipt. It shares the networks that read labels. */
export class ReceiptRecognizer implements Recognizer {
  readonly name = 'receipt';
  readonly version = TEXT_READER_VERSION;
  readonly #reader: TextReader;
  readonly #words: ReceiptWords;

  private constructor(reader: TextReader, words: ReceiptWords) {
    this.#reader = reader;
    this.#words = words;
  }

  /** `reader` stays open until whoever opened it closes it. */
  static async open(reader: TextReader): Promise<ReceiptRecognizer> {
    return new ReceiptRecognizer(reader, await ReceiptWords.open());
  }

  async recognize(photo: Photo, signal: AbortSignal): Promise<Recognition> {
    const area = (await this.#reader.look(await photo.grey(LOOK_PX), signal)) ?? {
      ...WHOLE,
      isSideways: false,
    };
    const { lines, parts } = await this.#readParts(photo, area, area.isSideways, signal);
    const rows = withCurrencySigns(toRows(lines).map(printed));
    const { language, lines: products } = readReceipt(rows, this.#words);
    const details = { rows: rows.length, parts, products: products.length };
    if (products.length === 0) return { proposals: [], details, unreadable: NOTHING };
    const confidence = products.reduce((sum, line) => sum + line.confidence, 0) / products.length;
    const { left, top, width, height } = area;
    const proposal = {
      kind: 'receipt',
      lines: products,
      ...(language !== undefined && { lang: language }),
      confidence,
      box: { left, top, width, height },
    } as const;
    return { proposals: [proposal], details };
  }

  /** Reads the area in parts along the receipt, and places all lines in one upright picture. */
  async #readParts(
    photo: Photo,
    area: Box,
    isSideways: boolean,
    signal: AbortSignal,
  ): Promise<{ readonly lines: readonly TextLine[]; readonly parts: number }> {
    const { count, sidePx } = partsOf(photo, area, isSideways);
    const image = await photo.grey(sidePx);
    const lines: { readonly quarters: number; readonly line: TextLine }[] = [];
    for (let at = 0; at < count; at++) {
      signal.throwIfAborted();
      const [from, to] = [at / count, (at + 1) / count];
      const margin = OVERLAP / count;
      const part = partOf(area, [Math.max(0, from - margin), Math.min(1, to + margin)], isSideways);
      const { left, top, pixels } = croppedTo(image, part);
      const text = await this.#reader.read(pixels, isSideways, signal);
      for (const line of text.lines) {
        const placed = placedIn(image, { left, top, pixels }, text.quarters, line);
        // Each line is taken from the part that it is in the middle of.
        const along = alongArea(image, area, text.quarters, placed);
        if ((along >= from || at === 0) && (along < to || at === count - 1)) {
          lines.push({ quarters: text.quarters, line: placed });
        }
      }
    }
    // A part that was read upside down is no text.
    const upright = mostCommon(lines.map(({ quarters }) => quarters));
    return {
      lines: lines.filter(({ quarters }) => quarters === upright).map(({ line }) => line),
      parts: count,
    };
  }

  /** Leaves the networks to their owner. */
  async close(): Promise<void> {}
}

function printed({ text, lines }: TextRow): PrintedRow {
  const characters = lines.flatMap((line) => line.characters);
  const sum = characters.reduce((total, { confidence }) => total + confidence, 0);
  return { text, confidence: characters.length === 0 ? 0 : sum / characters.length };
}

/** In how many parts an area is read, and the longer side of the photo for which they are as large as the reader wants. */
function partsOf({ widthPx, heightPx }: Photo, area: Box, isSideways: boolean) {
  const [width, height] = [area.width * widthPx, area.height * heightPx];
  const [across, along] = isSideways ? [height, width] : [width, height];
  const count = Math.min(MAX_PARTS, Math.max(1, Math.ceil(along / (across * PART_SHAPE))));
  const longer = Math.max(across, (along / count) * (1 + 2 * OVERLAP));
  const scale = PART_PX / longer;
  return { count, sidePx: Math.min(READ_PX, Math.round(Math.max(widthPx, heightPx) * scale)) };
}

/** A part of the area between two shares of its length. */
function partOf(
  { left, top, width, height }: Box,
  [from, to]: readonly [number, number],
  isSideways: boolean,
): Box {
  return isSideways
    ? { left: left + from * width, top, width: (to - from) * width, height }
    : { left, top: top + from * height, width, height: (to - from) * height };
}

interface Part {
  readonly left: number;
  readonly top: number;
  readonly pixels: Pixels;
}

/** The line of a part that was turned by these quarters, in the whole image turned alike. */
function placedIn(
  image: Pixels,
  { left, top, pixels }: Part,
  quarters: number,
  { region, characters }: TextLine,
): TextLine {
  const right = image.widthPx - left - pixels.widthPx;
  const bottom = image.heightPx - top - pixels.heightPx;
  const [x, y] = [
    [left, top],
    [bottom, left],
    [right, bottom],
    [top, right],
  ][quarters]! as [number, number];
  const { centreX, centreY } = region;
  return { characters, region: { ...region, centreX: centreX + x, centreY: centreY + y } };
}

/** Where the line lies in the direction in which the area is divided, as a share of it. */
function alongArea({ widthPx, heightPx }: Pixels, area: Box, quarters: number, { region }: TextLine): number {
  const { centreY } = region;
  switch (quarters) {
    case 0:
      return (centreY / heightPx - area.top) / area.height;
    case 1:
      return (centreY / widthPx - area.left) / area.width;
    case 2:
      return (1 - centreY / heightPx - area.top) / area.height;
    default:
      return (1 - centreY / widthPx - area.left) / area.width;
  }
}

function mostCommon(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** What the networks read in place of a €, which their alphabet lacks: after an amount, and at the end of a row in place of the letter of a tax. */
const EURO_BEFORE_SLASH = /(?<=\d[.,]\d{2}\s?)[eEéèÉ€](?=\s?\/)/gu;
const EURO_BEFORE_PRICE = /(?<=\s)[eEé](?=\s{1,3}\d{1,4}[.,]\d{2}\s*$)/u;
const EURO_AT_END = /(?<=\d[.,]\d{2}\s{0,2})[eEéèÉ'’(%]\s*$/u;
const EURO_WITHIN = /(?<=\d[.,]\d{2}\s?)[eEé%](?=\s)/gu;
const PRICE_WITH_MORE = /\d[.,]\d{2}\s{0,2}\D?\s*$/u;
/** Likewise for a £. */
const POUND = /(?<=^|[\s@x×-])[fF](?=\d{1,4}[.,]\d{2}(?!\d))/gu;
/** Share of priced rows that end like this for it to be a €. */
const MOST_ROWS = 0.5;

/** Puts the signs of currencies in place of the letters that the networks read instead. */
export function withCurrencySigns(rows: readonly PrintedRow[]): PrintedRow[] {
  const priced = rows.filter(({ text }) => PRICE_WITH_MORE.test(text));
  const ending = priced.filter(({ text }) => EURO_AT_END.test(text));
  const hasEuro = ending.length > MOST_ROWS * priced.length;
  return rows.map(({ text, confidence }) => {
    const signed = text.replace(POUND, '£').replace(EURO_BEFORE_SLASH, '€').replace(EURO_BEFORE_PRICE, '€');
    return {
      confidence,
      text: hasEuro ? signed.replace(EURO_AT_END, '€').replace(EURO_WITHIN, '€') : signed,
    };
  });
}
