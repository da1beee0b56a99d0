import { findScannedCode } from '@larder/core/codes/scanned-code.ts';
import { type Gtin, hasValidCheckDigit, toGtin } from '@larder/core/gtin.ts';
import sharp, { type Sharp } from 'sharp';
import type { Photo, Pixels } from '../../images/photo.ts';
import type { BarcodeProposal, Recognition, Recognizer } from '../../recognizer.ts';
import type { Box } from '../../scan-result.ts';
import { type BarRegion, findBarRegions } from './bar-regions.ts';
import { ProfileReader } from './profile-reader.ts';
import { brightnessAt, type Point, scanLine } from './scan-line.ts';
import { SYMBOLS } from './symbols.ts';
import { BarcodeReader, type BarcodeReading, type DataReading, READER_VERSION } from './zxing-reader.ts';

/** Heights of the second reader's lines, as shares of the height found by the first one. */
const HEIGHTS = [0.5, 0.1, 0.9];
/** Minimum number of lines that agree. */
const LEAST_AGREEING = 2;
/** Minimum share of the brightness that a reading explains; misread numbers rarely explain half. */
const LEAST_FIT = 0.75;
/** Lines that the first reader needs in the original image if the second reader reads nothing. */
const LINES_WITHOUT = 12;

/** Confidence if both readers, only the second, or only the first read the number. */
const CONFIDENCE = { both: 0.99, second: 0.98, first: 0.97 };

export interface CertainReading {
  readonly digits: string;
  readonly confidence: number;
}

/**
 * Confirms or corrects a reading by a second reader. A check digit accepts one misreading in ten, and neighbouring
 * rows are misread alike, but a different method makes different mistakes. Undefined if the readers disagree. `image`
 * is the original image, also if `reading` is from an enhanced one.
 */
function certainReading(
  image: Pixels,
  reading: BarcodeReading,
  profiles: ProfileReader,
): CertainReading | undefined {
  const { topLeft, topRight, bottomLeft, bottomRight } = reading.corners;
  const symbol = SYMBOLS.find(
    ({ format }) => format === (reading.format === 'UPCA' ? 'EAN13' : reading.format),
  )!;
  const counts = new Map<string, number>();
  for (const height of HEIGHTS) {
    const start = between(topLeft, bottomLeft, height);
    const end = between(topRight, bottomRight, height);
    const { brightness, from, to } = scanLine(image, start, end);
    if (to - from < 1) continue;
    const opinion = profiles.read(brightness, from, to, symbol);
    if (opinion === undefined || opinion.fit < LEAST_FIT) continue;
    const count = (counts.get(opinion.digits) ?? 0) + 1;
    counts.set(opinion.digits, count);
    if (count < LEAST_AGREEING) continue;
    const confidence =
      opinion.digits === reading.digits && reading.isValid ? CONFIDENCE.both : CONFIDENCE.second;
    return { digits: opinion.digits, confidence };
  }
  const isClear = reading.format !== 'UPCE' && reading.format !== 'EAN8' && reading.lines >= LINES_WITHOUT;
  if (!reading.isValid || !isClear || counts.size > 0) return undefined;
  return { digits: reading.digits, confidence: CONFIDENCE.first };
}

function between(a: { x: number; y: number }, b: { x: number; y: number }, share: number) {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
}

/** An enhanced image, `scale` times as large as the original. */
export interface Enhanced {
  readonly image: Pixels;
  readonly scale: number;
  /** Sharpening exaggerates edges and noise, so a second reading must agree. */
  readonly sharpened: boolean;
}

/** Enhancements, the most useful first (measured on photos: docs/benchmarks.md). */
const ENHANCEMENTS: readonly ((image: Pixels) => Promise<Enhanced>)[] = [
  // Reduces shadows and glare: local contrast within each eighth of the image.
  async (image) => {
    const tile = (sidePx: number) => Math.max(8, sidePx >> 3);
    const size = { width: tile(image.widthPx), height: tile(image.heightPx) };
    return enhanced(image, 1, false, (from) => from.clahe({ ...size, maxSlope: 5 }));
  },
  // Counters low resolution and blur.
  (image) => enhanced(image, 2, true, (from) => from.sharpen({ sigma: 3, m1: 3, m2: 6 })),
  (image) => enhanced(image, 2, false, (from) => from),
  // Counters noise and blur: averages along upright bars, then sharpens.
  async (image) => {
    const { data, info } = await toSharp(image)
      .convolve({ width: 3, height: COLUMN.length, kernel: COLUMN.flatMap((each) => [0, each, 0]) })
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const smooth = { widthPx: info.width, heightPx: info.height, data };
    return enhanced(smooth, 3, true, (from) => from.sharpen({ sigma: 5, m1: 4, m2: 8 }));
  },
];

const COLUMN = new Array<number>(15).fill(1);

async function enhanced(
  image: Pixels,
  scale: number,
  sharpened: boolean,
  change: (from: Sharp) => Sharp,
): Promise<Enhanced> {
  const large =
    scale === 1
      ? toSharp(image)
      : toSharp(image).resize({
          width: image.widthPx * scale,
          height: image.heightPx * scale,
          fit: 'fill',
          kernel: 'cubic',
        });
  const raw = change(large).toColourspace('b-w').raw();
  const { data, info } = await raw.toBuffer({ resolveWithObject: true });
  return { image: { widthPx: info.width, heightPx: info.height, data }, scale, sharpened };
}

function toSharp({ widthPx, heightPx, data }: Pixels): Sharp {
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 1 } });
}

/** Margin of a crop for the quiet zone and for add-on digits, as a share of its sides. */
const MARGIN = 0.25;
/** Crops larger than this are made smaller; a long symbol then still has six pixels a module. */
const MOST_PX = 800;

/** Part of an image, turned so that its bars are upright. */
export interface ImagePart {
  readonly image: Pixels;
  /** Position in the whole image of a point of this part. */
  toWhole(point: Point): Point;
}

/** Cuts a region out, so that its bars are upright whatever their angle in the image. */
function cropUpright(image: Pixels, { centreX, centreY, angle, lengthPx, heightPx }: BarRegion): ImagePart {
  const margin = MARGIN * Math.max(lengthPx, heightPx);
  const [wide, high] = [lengthPx + 2 * margin, heightPx + 2 * margin];
  const scale = Math.min(1, MOST_PX / Math.max(wide, high));
  const widthPx = Math.max(1, Math.round(wide * scale));
  const topPx = Math.max(1, Math.round(high * scale));
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const toWhole = ({ x, y }: Point): Point => {
    const [u, v] = [x / scale - wide / 2, y / scale - high / 2];
    return { x: centreX + u * cos - v * sin, y: centreY + u * sin + v * cos };
  };
  const data = new Uint8Array(widthPx * topPx);
  for (let y = 0; y < topPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const from = toWhole({ x: x + 0.5, y: y + 0.5 });
      data[y * widthPx + x] = brightnessAt(image, from.x - 0.5, from.y - 0.5);
    }
  }
  return { image: { widthPx, heightPx: topPx, data }, toWhole };
}

/** Longer side of the searched image: a package that fills a third of the photo then has two pixels a bar. */
const LOOK_PX = 1280;
/** Longer side of a crop for the second pass; small, so that three times as many fit into the time. */
const CROP_PX = 640;
/** Regions of bars that are read closer where nothing was found, besides those of codes that were found. */
export const MAX_REGIONS = 3;
/** Lengths of the numbers of products; shorter ones may number anything. */
const PRODUCT_DIGITS: ReadonlySet<number> = new Set([8, 12, 13, 14]);
/** Symbology identifiers before plain digits. */
const PLAIN = /^\][A-Za-z]\d(?=\d{8,14}$)/;
/** A Code 128 without the mark of GS1, which also numbers parcels and lots: only whole numbers of products count. */
const PLAIN_CODE_128 = /^\]C0(?!\d{13,14}$)/;
/** ITF has no check of its own, and part of a symbol is one too: 14 digits are certain on this many lines. */
const ITF = /^\]I/;
const OTHER_ITF = /^\]I\d(?!\d{14}$)/;
const LEAST_ITF_LINES = 6;
/** Zeros that make a UPC-A or an EAN-13 longer; those of a GTIN-8 distinguish it from a UPC-E. */
const PADDING = /^(?!0{6})(?:00(?=\d{12}$)|0(?=\d{12,13}$))/;
/** A code with a checksum of its own is either read without an error or not at all. */
const DATA_CONFIDENCE = 0.99;
/** Part of a code's rank that it loses in a corner of the photo. */
const ASIDE = 0.5;
/** Part of a line beyond the bars whose brightness is compared with theirs, of its length from the bars' end. */
const QUIET = { from: 0.2, to: 0.5 };
/** Brightness up to which both ends are as dark as the dark bars, as a share of the range of all bars. */
const MOST_DARK = 0.3;
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
 * Reads the barcodes of packages. Searches the whole image first, which reads bars that are about upright or level, and
 * square codes. Other regions of bars are then turned upright and read again: as retail codes, as codes of trade units,
 * and light on dark where their surroundings are dark. If nothing was found, they are enhanced until the time is over.
 * ZXing finds and reads bars, and `ProfileReader` confirms or corrects every retail number.
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
    const found = this.#look(whole, image, 1, false);
    found.push(...this.#readData(this.#reader.readMatrix(image), whole));
    found.push(...(await this.#lookCloser(whole, found, signal)));
    return { proposals: toProposals(found, image) };
  }

  async close(): Promise<void> {}

  /** Products of codes with other data too; what names none, such as addresses of websites, is left out. */
  #readData(readings: readonly DataReading[], { toWhole }: ImagePart): Found[] {
    return readings.flatMap(({ text, lines, corners }) => {
      const gtin = productIn(text);
      if (gtin === undefined || (ITF.test(text) && lines < LEAST_ITF_LINES)) return [];
      const digits = text.replace(PLAIN, '').replace(PADDING, '');
      return [{ digits, gtin, confidence: DATA_CONFIDENCE, corners: mapCorners({ corners }, toWhole) }];
    });
  }

  /** Looks at regions of bars beside the codes that were found, and longer if there are none. */
  async #lookCloser(whole: ImagePart, known: readonly Found[], signal: AbortSignal): Promise<Found[]> {
    const { image } = whole;
    const deadlineMs = this.#nowMs() + DEEP_BUDGET_MS;
    const regions = findBarRegions(image, MAX_REGIONS + known.length).filter(
      (region) => !known.some(({ corners }) => isIn(region, corners)),
    );
    const { parts, clear } = barParts(image, regions.slice(0, MAX_REGIONS));
    const found: Found[] = [];
    // The wide elements of large symbols divide them into several regions.
    if (clear.length > 0) found.push(...this.#readData(this.#reader.readTrade(image), whole));
    for (const part of known.length === 0 ? parts : parts.filter(({ isClear }) => isClear)) {
      if (this.#nowMs() > deadlineMs) return found;
      const retail = this.#look(part, part.image, 1, false);
      found.push(...retail);
      if (retail.length === 0 && part.isClear)
        found.push(...this.#readData(this.#reader.readTrade(part.image), part));
    }
    if (found.length === 0 && clear.length > 0) {
      // Large bars are divided, too, and their ends do not tell that they are light on dark.
      const half = halfNegative(image);
      found.push(...this.#look(half, half.image, 1, false));
      found.push(...this.#readData(this.#reader.readTrade(half.image), half));
    }
    for (const enhance of ENHANCEMENTS) {
      if (found.length > 0 || known.length > 0) break;
      for (const part of clear) {
        if (this.#nowMs() > deadlineMs) return found;
        const { image: changed, scale, sharpened } = await enhance(part.image);
        signal.throwIfAborted();
        found.push(...this.#look(part, changed, scale, sharpened));
      }
    }
    return found;
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
      // A UPC-A is usually printed without the zero that makes it an EAN-13.
      const digits = certain.digits.replace(PADDING, '');
      return [{ ...certain, digits, gtin: toGtin(digits), corners }];
    });
  }
}

type Corners = BarcodeReading['corners'];

interface Found {
  /** The number, or the whole code if it has other data. */
  readonly digits: string;
  readonly gtin: Gtin;
  readonly confidence: number;
  readonly corners: Corners;
}

/** The product that the data of a symbol name, with a valid check digit; `text` begins with the symbology. */
function productIn(text: string): Gtin | undefined {
  const isOther = PLAIN_CODE_128.test(text) || OTHER_ITF.test(text);
  const digits = isOther ? undefined : findScannedCode(text)?.barcode;
  if (digits === undefined || !PRODUCT_DIGITS.has(digits.length)) return undefined;
  return hasValidCheckDigit(toGtin(digits)) ? toGtin(digits) : undefined;
}

/** One proposal for each product, the most prominent code first; of two codes of one product it takes what says more. */
function toProposals(found: readonly Found[], image: Pixels): BarcodeProposal[] {
  const proposals = new Map<Gtin, BarcodeProposal>();
  const ranked = found
    .map(({ corners, ...code }) => ({ ...code, box: boxOf(corners, image) }))
    .sort((a, b) => prominence(b.box, image) - prominence(a.box, image));
  for (const { gtin, ...code } of ranked) {
    const known = proposals.get(gtin);
    if (known === undefined) proposals.set(gtin, { kind: 'barcode', ...code });
    else if (code.digits.length > known.digits.length) proposals.set(gtin, { ...known, digits: code.digits });
  }
  return [...proposals.values()];
}

/** The length of a code in pixels, less towards the corners of the photo. */
function prominence({ left, top, width, height }: Box, { widthPx, heightPx }: Pixels): number {
  const aside = Math.hypot(left + width / 2 - 0.5, top + height / 2 - 0.5) / Math.SQRT1_2;
  return Math.hypot(width * widthPx, height * heightPx) * (1 - ASIDE * aside);
}

/** Whether the middle of a code is within a region: they are the same bars. */
function isIn({ centreX, centreY, angle, lengthPx, heightPx }: BarRegion, corners: Corners): boolean {
  const points = Object.values(corners);
  const x = points.reduce((sum, point) => sum + point.x, 0) / points.length - centreX;
  const y = points.reduce((sum, point) => sum + point.y, 0) / points.length - centreY;
  const [across, down] = [
    x * Math.cos(angle) + y * Math.sin(angle),
    y * Math.cos(angle) - x * Math.sin(angle),
  ];
  return Math.abs(across) < lengthPx / 2 && Math.abs(down) < heightPx / 2;
}

/** A part around bars; `isClear` if it is worth more than one look, since its lines are alike. */
interface BarPart extends ImagePart {
  readonly isClear: boolean;
}

/**
 * Returns the areas around bars turned upright, and a small image with bars as a whole; `clear` are those that are worth all
 * enhancements, which take most of the time of a photo without a barcode. Bars that seem light on dark are added as a
 * negative, and only that is enhanced.
 */
function barParts(
  image: Pixels,
  regions: readonly BarRegion[],
): { readonly parts: readonly BarPart[]; readonly clear: readonly BarPart[] } {
  const [parts, clear]: [BarPart[], BarPart[]] = [[], []];
  for (const region of regions) {
    const part = { ...cropUpright(image, region), isClear: region.likeness >= CLEAR_LIKENESS };
    const shown = part.isClear && isLightOnDark(image, region) ? negative(part) : part;
    parts.push(...(shown === part ? [part] : [part, shown]));
    if (part.isClear) clear.push(shown);
  }
  if (regions.length > 0 && Math.max(image.widthPx, image.heightPx) <= CROP_PX) {
    const whole = { image, toWhole: (point: Point) => point, isClear: clear.length > 0 };
    parts.push(whole);
    if (whole.isClear) clear.push(whole);
  }
  return { parts, clear };
}

/** Whether the image is as dark at both ends of the bars as the dark ones of them. */
function isLightOnDark(image: Pixels, { centreX, centreY, angle, lengthPx }: BarRegion): boolean {
  const [x, y] = [Math.cos(angle) * lengthPx * 0.5, Math.sin(angle) * lengthPx * 0.5];
  const start = { x: centreX - x, y: centreY - y };
  const { brightness, from, to } = scanLine(image, start, { x: centreX + x, y: centreY + y });
  const bars = brightness.subarray(from, to);
  const dark = Math.min(...bars) * (1 - MOST_DARK) + Math.max(...bars) * MOST_DARK;
  const [near, far] = [from * QUIET.from, from * QUIET.to];
  const quiet = [brightness.subarray(from - far, from - near), brightness.subarray(to + near, to + far)];
  return quiet.every((part) => part.reduce((sum, level) => sum + level, 0) < dark * part.length);
}

function negative({ image, ...part }: BarPart): BarPart {
  return { ...part, image: { ...image, data: image.data.map((level) => 255 - level) } };
}

/** A negative of half the size, for codes of large modules. */
function halfNegative({ widthPx, heightPx, data }: Pixels): ImagePart {
  const [wide, high] = [widthPx >> 1, heightPx >> 1];
  const half = new Uint8Array(wide * high);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const at = 2 * (y * widthPx + x);
      const sum = data[at]! + data[at + 1]! + data[at + widthPx]! + data[at + widthPx + 1]!;
      half[y * wide + x] = 255 - (sum >> 2);
    }
  }
  return {
    image: { widthPx: wide, heightPx: high, data: half },
    toWhole: ({ x, y }) => ({ x: 2 * x, y: 2 * y }),
  };
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
