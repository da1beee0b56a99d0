import type { Photo, Pixels } from '../../images/photo.ts';
import type { Recognition, Recognizer } from '../../recognizer.ts';
import type { Box } from '../../scan-result.ts';
import { NutrientWords } from './nutrient-words.ts';
import { type LabelFacts, type LabelRefusal, readLabel } from './read-label.ts';
import { type RecognizedText, TEXT_READER_VERSION, TextReader } from './text/text-reader.ts';

/** Longer side of the image: letters of a label that fills half of it have twenty pixels. */
const READ_PX = 1600;

/** Longer side of the photo for the second look; of 12 megapixels. */
const CLOSE_PX = 4096;
/** A table that takes more of the photo's sides is not shown larger by a crop. */
const SMALL_TABLE = 0.6;
/** Lines of nutrients that make a second look worthwhile. */
const LEAST_LINES = 2;
/** Margin around the lines that name nutrients, as a share of their area's sides: heads, servings, amounts. */
const MARGIN = 0.25;

/** Reads nutrition facts from packages and proposes consistent ones. */
export class LabelRecognizer implements Recognizer {
  readonly name = 'label';
  readonly version = TEXT_READER_VERSION;
  readonly #reader: TextReader;
  readonly #words: NutrientWords;

  private constructor(reader: TextReader, words: NutrientWords) {
    this.#reader = reader;
    this.#words = words;
  }

  static async open(): Promise<LabelRecognizer> {
    return new LabelRecognizer(await TextReader.open(), await NutrientWords.open());
  }

  async recognize(photo: Photo, signal: AbortSignal): Promise<Recognition> {
    const image = await photo.grey(READ_PX);
    signal.throwIfAborted();
    const text = await this.#reader.read(image, signal);
    if (text === undefined) return { proposals: [] };
    const facts = readLabel(text.lines, this.#words);
    const details = { lines: text.lines.length, quartersTurned: text.quarters };
    if (!('refused' in facts)) return proposalOf(facts, text.boxOf(facts.lines), details);
    const closer = await this.#lookCloser(photo, text, facts, signal);
    if (closer !== undefined) return closer;
    const { refused, unread } = facts;
    const reasons = { ...details, refused, ...(unread && { unread }) };
    if (refused === 'no_table') return { proposals: [], details: reasons };
    return { proposals: [], details: reasons, unreadable: sentenceOf(facts) };
  }

  /** Reads the area of the table again, with all pixels of the photo, where that shows it larger. */
  async #lookCloser(
    photo: Photo,
    text: RecognizedText,
    { lines }: LabelRefusal,
    signal: AbortSignal,
  ): Promise<Recognition | undefined> {
    if (lines.length < LEAST_LINES) return undefined;
    const area = widened(text.boxOf(lines));
    if (Math.max(area.width, area.height) > SMALL_TABLE) return undefined;
    const image = cropped(await photo.grey(CLOSE_PX), area);
    const closer = await this.#reader.read(image, signal);
    if (closer === undefined) return undefined;
    const facts = readLabel(closer.lines, this.#words);
    if ('refused' in facts) return undefined;
    const own = closer.boxOf(facts.lines);
    const box = {
      left: area.left + own.left * area.width,
      top: area.top + own.top * area.height,
      width: own.width * area.width,
      height: own.height * area.height,
    };
    return proposalOf(facts, box, {
      lines: closer.lines.length,
      quartersTurned: closer.quarters,
      looks: 2,
    });
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}

function sentenceOf({ refused, unread = [] }: LabelRefusal): string {
  const names = unread.map((nutrient) => WORDS[nutrient] ?? nutrient).join(', ');
  const what: Readonly<Record<Exclude<LabelRefusal['refused'], 'no_table'>, string>> = {
    no_serving_weight: 'the weight of the serving could not be read',
    serving_too_small: 'the serving is too small to tell the values of 100 g',
    values_missing: `these values could not be read: ${names}`,
    heads_unread: 'the heads of the columns could not be read',
    does_not_add_up: `the values as read do not add up: ${names}`,
  };
  return `The image shows nutrition facts, but ${refused === 'no_table' ? 'no table was found' : what[refused]}.`;
}

const WORDS: Readonly<Record<string, string>> = { saturatedFat: 'saturated fat', fiber: 'fibre' };

function proposalOf(
  { basis, per100, serving, confidence, column }: LabelFacts,
  box: Box,
  details: Readonly<Record<string, unknown>>,
): Recognition {
  const proposal = { kind: 'label', basis, per100, serving, confidence, box } as const;
  return { proposals: [proposal], details: { ...details, ...(column && { column }) } };
}

function widened({ left, top, width, height }: Box): Box {
  const margin = MARGIN * Math.max(width, height);
  const [fromX, fromY] = [Math.max(0, left - margin), Math.max(0, top - margin)];
  return {
    left: fromX,
    top: fromY,
    width: Math.min(1, left + width + margin) - fromX,
    height: Math.min(1, top + height + margin) - fromY,
  };
}

function cropped({ widthPx, heightPx, data }: Pixels, box: Box): Pixels {
  const left = Math.floor(box.left * widthPx);
  const top = Math.floor(box.top * heightPx);
  const width = Math.max(1, Math.floor(box.width * widthPx));
  const height = Math.max(1, Math.floor(box.height * heightPx));
  const part = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (top + y) * widthPx + left;
    part.set(data.subarray(from, from + width), y * width);
  }
  return { widthPx: width, heightPx: height, data: part };
}
