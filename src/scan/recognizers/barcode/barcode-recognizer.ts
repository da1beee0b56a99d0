import { findScannedCode } from '@larder/core/codes/scanned-code.ts';
import { hasValidCheckDigit, toGtin } from '@larder/core/gtin.ts';
import type { Photo, Pixels } from '../../images/photo.ts';
import type { BarcodeProposal, Recognition, Recognizer } from '../../recognizer.ts';
import type { Box } from '../../scan-result.ts';
import { findBarRegions } from './bar-regions.ts';
import { certainReading } from './certain-reading.ts';
import { ENHANCEMENTS } from './enhance.ts';
import { ProfileReader } from './profile-reader.ts';
import { cropUpright, type ImagePart } from './upright-crop.ts';
import { BarcodeReader, type BarcodeReading, READER_VERSION } from './zxing-reader.ts';

/** Longer side of the searched image: a package that fills a third of the photo then has two pixels a bar. */
const LOOK_PX = 1280;
/** Longer side of a crop for the second pass; small, so that three times as many fit into the time. */
const CROP_PX = 640;
/** Lengths of the numbers of products; shorter ones may number anything. */
const PRODUCT_DIGITS: ReadonlySet<number> = new Set([8, 12, 13, 14]);
/** Symbology identifiers before plain digits. */
const PLAIN = /^\][A-Za-z]\d(?=\d{8,14}$)/;
/** A square code is either read without an error or not at all. */
const MATRIX_CONFIDENCE = 0.99;
/**
 * Minimum likeness of lines across real bars; `npm run bench -- recognition` prints the likeness of photos
 * with and without a barcode.
 */
const CLEAR_LIKENESS = 0.55;
/** Time for the second pass over bars that the first pass could not read. */
const DEEP_BUDGET_MS = 600;

export interface BarcodeRecognizerOptions {
  readonly nowMs: () => number;
}

/**
 * Reads the barcodes of packages. Searches the whole image first, which reads bars that are about upright or level. If
 * that reads nothing but there are bars, it turns crops of them upright and tries different enhancements until the time
 * is over. ZXing finds and reads bars, and `ProfileReader` confirms or
 * corrects every number.
 */
export class BarcodeRecognizer implements Recognizer {
  readonly name = 'barcode';
  readonly version = `${READER_VERSION}, profiles 1`;
  readonly #reader: BarcodeReader;
  readonly #profiles = new ProfileReader();
  readonly #nowMs: () => number;

  private constructor(reader: BarcodeReader, { nowMs }: BarcodeRecognizerOptions) {
    this.#reader = reader;
    this.#nowMs = nowMs;
  }

  static async open(options: BarcodeRecognizerOptions): Promise<BarcodeRecognizer> {
    return new BarcodeRecognizer(await BarcodeReader.open(), options);
  }

  async recognize(photo: Photo, signal: AbortSignal): Promise<Recognition> {
    const image = await photo.grey(LOOK_PX);
    signal.throwIfAborted();
    const whole: ImagePart = { image, toWhole: (point) => point };
    const atOnce = this.#look(whole, image, 1, false);
    let found = atOnce;
    // The cheapest comes first: most packages have bars, and a square code beside them contains no other
    // number.
    if (found.length === 0) found = this.#readMatrix(image);
    if (found.length === 0) found = await this.#lookCloser(image, signal);
    const proposals = new Map<string, BarcodeProposal>();
    for (const { digits, confidence, corners } of found) {
      // A UPC-A is usually printed without the zero that makes it an EAN-13.
      const spoken = digits.replace(/^0(?=\d{12}$)/, '');
      if (proposals.has(spoken)) continue;
      proposals.set(spoken, { kind: 'barcode', digits: spoken, confidence, box: boxOf(corners, image) });
    }
    return { proposals: [...proposals.values()] };
  }

  async close(): Promise<void> {}

  /** Products of square codes; other content, such as addresses of websites, is not a product. */
  #readMatrix(image: Pixels): Found[] {
    return this.#reader.readMatrix(image).flatMap(({ text, corners }) => {
      const digits = findScannedCode(text)?.barcode;
      const isProduct =
        digits !== undefined && PRODUCT_DIGITS.has(digits.length) && hasValidCheckDigit(toGtin(digits));
      return isProduct ? [{ digits: text.replace(PLAIN, ''), confidence: MATRIX_CONFIDENCE, corners }] : [];
    });
  }

  async #lookCloser(image: Pixels, signal: AbortSignal): Promise<Found[]> {
    const deadlineMs = this.#nowMs() + DEEP_BUDGET_MS;
    const { parts, clear } = barParts(image);
    for (const [index, enhance] of ENHANCEMENTS.entries()) {
      const found: Found[] = [];
      for (const part of index === 0 ? parts : clear) {
        if (this.#nowMs() > deadlineMs) return found;
        const { image: changed, scale, sharpened } = await enhance(part.image);
        signal.throwIfAborted();
        found.push(...this.#look(part, changed, scale, sharpened));
      }
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Reads `changed`, which shows `part` at `scale`; positions refer to the whole image. */
  #look(part: ImagePart, changed: Pixels, scale: number, sharpened: boolean): Found[] {
    const readings = this.#reader.read(changed, { tryHarder: true, tryRotate: true, minLines: 2 });
    return readings.flatMap((reading) => {
      const there = {
        ...reading,
        lines: sharpened ? 0 : reading.lines / scale,
        corners: mapCorners(reading, ({ x, y }) => ({ x: x / scale, y: y / scale })),
      };
      const certain = certainReading(part.image, there, this.#profiles);
      if (certain === undefined) return [];
      const corners = mapCorners(there, part.toWhole);
      return [{ ...certain, corners }];
    });
  }
}

type Corners = BarcodeReading['corners'];

interface Found {
  readonly digits: string;
  readonly confidence: number;
  readonly corners: Corners;
}

/**
 * Returns the areas around bars turned upright, and a small image with bars as a whole; `clear` are those that are worth all
 * enhancements, which take most of the time of a photo without a barcode.
 */
function barParts(image: Pixels): {
  readonly parts: readonly ImagePart[];
  readonly clear: readonly ImagePart[];
} {
  const regions = findBarRegions(image);
  const upright = regions.map((region) => cropUpright(image, region));
  const clear = upright.filter((_, index) => regions[index]!.likeness >= CLEAR_LIKENESS);
  if (regions.length === 0 || Math.max(image.widthPx, image.heightPx) > CROP_PX)
    return { parts: upright, clear };
  const whole: ImagePart = { image, toWhole: (point) => point };
  return { parts: [...upright, whole], clear: clear.length === 0 ? clear : [...clear, whole] };
}

function mapCorners({ corners }: Pick<BarcodeReading, 'corners'>, map: (point: Corner) => Corner): Corners {
  const { topLeft, topRight, bottomLeft, bottomRight } = corners;
  return {
    topLeft: map(topLeft),
    topRight: map(topRight),
    bottomLeft: map(bottomLeft),
    bottomRight: map(bottomRight),
  };
}

type Corner = Corners['topLeft'];

function boxOf(corners: Corners, { widthPx, heightPx }: Pixels): Box {
  const points = Object.values(corners);
  const xs = points.map(({ x }) => Math.min(Math.max(x / widthPx, 0), 1));
  const ys = points.map(({ y }) => Math.min(Math.max(y / heightPx, 0), 1));
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
