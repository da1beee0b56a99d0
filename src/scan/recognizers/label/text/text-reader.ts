import { join } from 'node:path';
import type { Pixels } from '../../../images/photo.ts';
import type { Box } from '../../../scan-result.ts';
import { type Area, TextDetector } from './text-detector.ts';
import type { TextLine, TextRegion } from './text-line.ts';
import { TextLineReader } from './text-line-reader.ts';

/** The cropped area, turned clockwise by `quarters` quarter turns. */
function turn({ widthPx, data }: Pixels, { left, top, width, height }: Area, quarters: number): Pixels {
  const isUpended = quarters % 2 === 1;
  const turned = {
    widthPx: isUpended ? height : width,
    heightPx: isUpended ? width : height,
    data: new Uint8Array(width * height),
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [column, row] = [
        [x, y],
        [height - 1 - y, x],
        [width - 1 - x, height - 1 - y],
        [y, width - 1 - x],
      ][quarters]! as [number, number];
      turned.data[row * turned.widthPx + column] = data[(top + y) * widthPx + left + x]!;
    }
  }
  return turned;
}

/** Version of the networks in `models/label-text`. */
export const TEXT_READER_VERSION = 'PP-OCRv6 small';

/** Folder of the shipped networks. */
export const LABEL_MODEL = join(import.meta.dirname, '../../../../../models/label-text');

/** Longer side for the quick look, which cheaply tells whether there is text. */
const LOOK_PX = 512;
/** Lines that the quick look sees of a small table; a single one is seen on many photos of dishes, too. */
const HINTS = 2;
/** Longer side for a closer look at what may be a small table. */
const CLOSER_LOOK_PX = 1024;
/** Longer side of the image searched for lines. */
const SEARCH_PX = 1152;
/** A table has at least this many lines. */
const MIN_LINES = 6;
/** No label has this many lines; further ones are not read. */
const MAX_LINES = 150;
/** Margin around the lines of the quick look, as a share of their area's sides. */
const MARGIN = 0.06;
/** Below this average confidence the text is upside down or no text. */
const LEGIBLE = 0.85;
/** Number of the largest lines that decide the orientation. */
const SAMPLE_LINES = 8;

/** The recognized text of an image. */
export interface RecognizedText {
  readonly lines: readonly TextLine[];
  /** Clockwise quarter turns that make the text upright. */
  readonly quarters: number;
  /** The box of these lines in the original image. */
  boxOf(lines: readonly TextLine[]): Box;
}

/** The image in one of four orientations, with a sample of its text. */
interface Standing {
  readonly turned: Pixels;
  readonly quarters: number;
  readonly sample: readonly TextLine[];
  readonly rest: readonly TextRegion[];
  readonly legibility: number;
}

/** Reads lines of text with networks on this machine's processor. */
export class TextReader {
  readonly #detector: TextDetector;
  readonly #reader: TextLineReader;

  private constructor(detector: TextDetector, reader: TextLineReader) {
    this.#detector = detector;
    this.#reader = reader;
  }

  static async open(): Promise<TextReader> {
    const [detector, reader] = await Promise.all([
      TextDetector.open(join(LABEL_MODEL, 'detector.onnx')),
      TextLineReader.open({
        network: join(LABEL_MODEL, 'reader.onnx'),
        letters: join(LABEL_MODEL, 'letters.txt'),
      }),
    ]);
    return new TextReader(detector, reader);
  }

  /** Undefined, after a quick look, if the image has fewer lines than a table. Stops if aborted. */
  async read(image: Pixels, signal: AbortSignal): Promise<RecognizedText | undefined> {
    const whole = { left: 0, top: 0, width: image.widthPx, height: image.heightPx };
    let seen = await this.#detector.detect(image, whole, LOOK_PX);
    signal.throwIfAborted();
    if (seen.length >= HINTS && seen.length < MIN_LINES) {
      seen = await this.#detector.detect(image, whole, CLOSER_LOOK_PX);
      signal.throwIfAborted();
    }
    if (seen.length < MIN_LINES) return undefined;
    const area = around(seen, image);
    const isSideways = seen.filter(leansOver).length > seen.length / 2;
    let best: Standing | undefined;
    for (const quarters of isSideways ? [1, 3] : [0, 2]) {
      const standing = await this.#stand(turn(image, area, quarters), quarters, signal);
      if (best === undefined || standing.legibility > best.legibility) best = standing;
      if (best.legibility >= LEGIBLE) break;
    }
    if (best === undefined) return undefined;
    const { turned, quarters, rest, sample } = best;
    const lines = [...sample, ...(await this.#reader.read(turned, rest, signal))];
    return { lines, quarters, boxOf: (own) => boxOf(own, quarters, area, image) };
  }

  async #stand(turned: Pixels, quarters: number, signal: AbortSignal): Promise<Standing> {
    const full = { left: 0, top: 0, width: turned.widthPx, height: turned.heightPx };
    const regions = (await this.#detector.detect(turned, full, SEARCH_PX)).slice(0, MAX_LINES);
    signal.throwIfAborted();
    const sample = await this.#reader.read(turned, regions.slice(0, SAMPLE_LINES), signal);
    return { turned, quarters, sample, rest: regions.slice(SAMPLE_LINES), legibility: legibilityOf(sample) };
  }

  async close(): Promise<void> {
    await Promise.all([this.#detector.close(), this.#reader.close()]);
  }
}

function leansOver({ angle }: TextRegion): boolean {
  return Math.abs(Math.sin(angle)) > Math.SQRT1_2;
}

/** Converts pixels of the turned area to shares of the image. */
function boxOf(lines: readonly TextLine[], quarters: number, area: Area, image: Pixels): Box {
  const isUpended = quarters % 2 === 1;
  const [widthPx, heightPx] = isUpended ? [area.height, area.width] : [area.width, area.height];
  const { left, top, width, height } = around(
    lines.map(({ region }) => region),
    { widthPx, heightPx },
  );
  const [x, y] = [
    [left, top],
    [top, widthPx - left - width],
    [widthPx - left - width, heightPx - top - height],
    [heightPx - top - height, left],
  ][quarters] as [number, number];
  return {
    left: (area.left + x) / image.widthPx,
    top: (area.top + y) / image.heightPx,
    width: (isUpended ? height : width) / image.widthPx,
    height: (isUpended ? width : height) / image.heightPx,
  };
}

function around(
  regions: readonly TextRegion[],
  { widthPx, heightPx }: Pick<Pixels, 'widthPx' | 'heightPx'>,
): Area {
  const reach = regions.map(({ length, angle, height }) => ({
    x: (Math.abs(Math.cos(angle)) * length + Math.abs(Math.sin(angle)) * height) / 2,
    y: (Math.abs(Math.sin(angle)) * length + Math.abs(Math.cos(angle)) * height) / 2,
  }));
  const xs = regions.flatMap(({ centreX }, index) => [centreX - reach[index]!.x, centreX + reach[index]!.x]);
  const ys = regions.flatMap(({ centreY }, index) => [centreY - reach[index]!.y, centreY + reach[index]!.y]);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const margin = MARGIN * Math.max(right - left, bottom - top);
  const area = {
    left: Math.max(0, Math.floor(left - margin)),
    top: Math.max(0, Math.floor(top - margin)),
  };
  return {
    ...area,
    width: Math.min(widthPx, Math.ceil(right + margin)) - area.left,
    height: Math.min(heightPx, Math.ceil(bottom + margin)) - area.top,
  };
}

function legibilityOf(lines: readonly TextLine[]): number {
  const characters = lines.flatMap((line) => line.characters);
  if (characters.length === 0) return 0;
  return characters.reduce((sum, { confidence }) => sum + confidence, 0) / characters.length;
}
