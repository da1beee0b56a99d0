import { join } from 'node:path';
import type { Pixels } from '../../../images/photo.ts';
import type { Box } from '../../../scan-result.ts';
import { type Area, TextDetector } from './text-detector.ts';
import type { TextLine, TextRegion } from './text-line.ts';
import { TextLineReader } from './text-line-reader.ts';

/** The image, turned clockwise by `quarters` quarter turns. */
function turn(image: Pixels, quarters: number): Pixels {
  if (quarters === 0) return image;
  const { widthPx: width, heightPx: height, data } = image;
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
      turned.data[row * turned.widthPx + column] = data[y * width + x]!;
    }
  }
  return turned;
}

/** Version of the networks in `models/label-text`. */
export const TEXT_READER_VERSION = 'PP-OCRv6 small';

/** Folder of the shipped networks. */
export const LABEL_MODEL = join(import.meta.dirname, '../../../../../models/label-text');

/** Longer side for the first pass, which cheaply determines whether there is text. */
const LOOK_PX = 512;
/** Lines of a small table in the first pass; a single line occurs on many photos of dishes, too. */
const HINTS = 2;
/** Longer side for the second pass over a possible small table. */
const CLOSER_LOOK_PX = 1024;
/**
 * In a distant view the lines of a small table are one region; the second pass covers this much around it, in
 * its sides, to separate them.
 */
const AROUND = 0.35;
/** Maximum share of the image's sides for a region to be enlarged by that pass. */
const SMALL_REGION = 0.6;
/** Longer side of the image searched for lines. */
const SEARCH_PX = 1152;
/** A table has at least this many lines, running text fewer but long ones. */
const MIN_LINES = 6;
const MIN_LONG_LINES = 3;
/** Minimum total length of the lines of running text, in their heights. */
const MIN_LENGTH = 40;
/** Maximum lines that are read; the smallest of many are the cells of a table. */
const MAX_LINES = 240;
/** Margin around the lines of the first pass, as a share of their area's sides. */
const MARGIN = 0.06;
/** Below this average confidence the text is upside down or no text. */
const LEGIBLE = 0.85;
/** Number of lines that decide the orientation, spread over the larger half: the largest are titles, which may stand on their heads. */
const SAMPLE_LINES = 8;

/** The part of an image with text, in shares of its sides. */
export interface TextArea extends Box {
  /** Whether its lines are vertical. */
  readonly isSideways: boolean;
}

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

  /** Finds text in a first pass; undefined if the image has less text than a table. Stops if aborted. */
  async look(image: Pixels, signal: AbortSignal): Promise<TextArea | undefined> {
    const seen = await this.#lookForLines(image, signal);
    if (seen === undefined) return undefined;
    const isSideways = seen.filter(leansOver).length > seen.length / 2;
    return { ...shareOf(around(seen, image, MARGIN), image), isSideways };
  }

  async #lookForLines(image: Pixels, signal: AbortSignal): Promise<TextRegion[] | undefined> {
    const whole = areaOf(image);
    const seen = await this.#detector.detect(image, whole, LOOK_PX);
    signal.throwIfAborted();
    if (isTable(seen)) return seen;
    const region = seen.length === 0 ? whole : around(seen, image, AROUND);
    if (Math.max(region.width / image.widthPx, region.height / image.heightPx) <= SMALL_REGION) {
      const near = await this.#detector.detect(image, region, LOOK_PX);
      signal.throwIfAborted();
      if (isTable(near)) return near;
    }
    if (seen.length < HINTS) return undefined;
    const close = await this.#detector.detect(image, whole, CLOSER_LOOK_PX);
    signal.throwIfAborted();
    return isTable(close) ? close : undefined;
  }

  /** All text of an image, which may be upside down or rotated. Stops if aborted. */
  async read(image: Pixels, isSideways: boolean, signal: AbortSignal): Promise<RecognizedText> {
    let best: Standing | undefined;
    for (const quarters of isSideways ? [1, 3] : [0, 2]) {
      const standing = await this.#stand(turn(image, quarters), quarters, signal);
      if (best === undefined || standing.legibility > best.legibility) best = standing;
      if (best.legibility >= LEGIBLE) break;
    }
    const { turned, quarters, rest, sample } = best!;
    const lines = [...sample, ...(await this.#reader.read(turned, rest, signal))];
    return { lines, quarters, boxOf: (own) => boxOf(own, quarters, image) };
  }

  async #stand(turned: Pixels, quarters: number, signal: AbortSignal): Promise<Standing> {
    const regions = (await this.#detector.detect(turned, areaOf(turned), SEARCH_PX)).slice(0, MAX_LINES);
    signal.throwIfAborted();
    const every = Math.max(1, Math.floor(regions.length / 2 / SAMPLE_LINES));
    const isSample = (_: TextRegion, at: number) => at % every === 0 && at < every * SAMPLE_LINES;
    const sample = await this.#reader.read(turned, regions.filter(isSample), signal);
    const rest = regions.filter((region, at) => !isSample(region, at));
    return { turned, quarters, sample, rest, legibility: legibilityOf(sample) };
  }

  async close(): Promise<void> {
    await Promise.all([this.#detector.close(), this.#reader.close()]);
  }
}

function leansOver({ angle }: TextRegion): boolean {
  return Math.abs(Math.sin(angle)) > Math.SQRT1_2;
}

function isTable(lines: readonly TextRegion[]): boolean {
  if (lines.length >= MIN_LINES) return true;
  const letters = lines.reduce((sum, { length, height }) => sum + length / height, 0);
  return lines.length >= MIN_LONG_LINES && letters >= MIN_LENGTH;
}

function areaOf({ widthPx: width, heightPx: height }: Pixels): Area {
  return { left: 0, top: 0, width, height };
}

function shareOf({ left, top, width, height }: Area, { widthPx, heightPx }: Size): Box {
  return { left: left / widthPx, top: top / heightPx, width: width / widthPx, height: height / heightPx };
}

/** Converts pixels of the turned image to shares of the image. */
function boxOf(lines: readonly TextLine[], quarters: number, image: Pixels): Box {
  const isUpended = quarters % 2 === 1;
  const [widthPx, heightPx] = isUpended ? [image.heightPx, image.widthPx] : [image.widthPx, image.heightPx];
  const { left, top, width, height } = around(
    lines.map(({ region }) => region),
    { widthPx, heightPx },
    MARGIN,
  );
  const [x, y] = [
    [left, top],
    [top, widthPx - left - width],
    [widthPx - left - width, heightPx - top - height],
    [heightPx - top - height, left],
  ][quarters] as [number, number];
  return shareOf(
    { left: x, top: y, width: isUpended ? height : width, height: isUpended ? width : height },
    image,
  );
}

type Size = Pick<Pixels, 'widthPx' | 'heightPx'>;

/** With a margin, as a share of the longer side of the regions' area. */
function around(regions: readonly TextRegion[], { widthPx, heightPx }: Size, share: number): Area {
  const reach = regions.map(({ length, angle, height }) => ({
    x: (Math.abs(Math.cos(angle)) * length + Math.abs(Math.sin(angle)) * height) / 2,
    y: (Math.abs(Math.sin(angle)) * length + Math.abs(Math.cos(angle)) * height) / 2,
  }));
  const xs = regions.flatMap(({ centreX }, index) => [centreX - reach[index]!.x, centreX + reach[index]!.x]);
  const ys = regions.flatMap(({ centreY }, index) => [centreY - reach[index]!.y, centreY + reach[index]!.y]);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const margin = share * Math.max(right - left, bottom - top);
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
