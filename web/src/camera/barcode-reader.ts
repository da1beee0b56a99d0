import { prepareZXingModule, type ReaderOptions, type ReadResult, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

const OPTIONS: ReaderOptions = {
  maxNumberOfSymbols: 8,
  tryHarder: true,
  tryRotate: true,
  tryInvert: false,
  minLineCount: 2,
};
/** Bars on packages of food and on their cases. Others would be found in random patterns. */
const BARS: ReaderOptions = {
  ...OPTIONS,
  formats: ['EAN13', 'EAN8', 'UPCA', 'UPCE', 'ITF14', 'Code128', 'DataBar', 'DataBarLtd', 'DataBarExp'],
};
/** Looking for square codes takes three times as long as for bars, so it is done where there are none. */
const SQUARES: ReaderOptions = { ...OPTIONS, formats: ['QRCode', 'DataMatrix'] };

/** Codes whose text is the number itself. */
const NUMBERS = ['EAN13', 'EAN8', 'UPCA', 'UPCE', 'ITF14'];
/** What square codes say of products: their number, element strings, or links with one. Others are of parcels and websites. */
const PRODUCT = /^(?:\d{8}|\d{12,14}|\(01\)\d{14}.*|01\d{14}.*|.*\/(?:01|gtin)\/\d{8,14}(?!\d).*)$/is;
/** Code 128 also numbers parcels: only GS1's element strings and whole numbers of products count. */
const CODE_128 = /^(?:\]C101\d{14}.*|\]C0\d{13,14})$/s;
/** ITF has no check of its own: its number is certain on this many lines. */
const LEAST_ITF_LINES = 6;
/** Bytes of a pixel, the last of which is its opacity. */
const RGBA_BYTES = 4;

/** A code in a picture, with its middle in pixels. */
export interface SeenCode {
  /** As a scanner gives it. */
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Loads the reader, whose WebAssembly the service serves itself. */
export async function openReader(): Promise<void> {
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });
}

/** The bars of products in a picture, each once; square codes if there are none. */
export async function readCodes(image: ImageData): Promise<readonly SeenCode[]> {
  const bars = await readWith(image, BARS);
  return bars.length > 0 ? bars : readWith(image, SQUARES);
}

async function readWith(image: ImageData, options: ReaderOptions): Promise<readonly SeenCode[]> {
  const codes = new Map<string, SeenCode>();
  for (const found of await readBarcodes(image, options)) {
    if (!found.isValid || !isProduct(found)) continue;
    const { format, text, symbologyIdentifier, position } = found;
    // The identifier tells a GS1 element string from other texts.
    const given = NUMBERS.includes(format) ? text : symbologyIdentifier + text;
    const { topLeft, bottomRight } = position;
    codes.set(given, { text: given, x: (topLeft.x + bottomRight.x) / 2, y: (topLeft.y + bottomRight.y) / 2 });
  }
  return [...codes.values()];
}

function isProduct({ format, text, symbologyIdentifier, lineCount }: ReadResult): boolean {
  if (format === 'ITF14') return text.length === 14 && lineCount >= LEAST_ITF_LINES;
  if (format === 'Code128') return CODE_128.test(symbologyIdentifier + text);
  return NUMBERS.includes(format) || PRODUCT.test(text);
}

/** Makes a picture its negative, in which light bars on dark ground can be read. */
export function negate({ data }: ImageData): void {
  for (let at = 0; at < data.length; at++) if (at % RGBA_BYTES !== RGBA_BYTES - 1) data[at] = 255 - data[at]!;
}
