import type { Photo } from '../../images/photo.ts';
import type { Recognition, Recognizer } from '../../recognizer.ts';
import type { Box } from '../../scan-result.ts';
import { type LabelFacts, type LabelRefusal, readLabel, type ServingFacts } from './read-label.ts';
import { croppedTo } from './text/grey-image.ts';
import { type RecognizedText, TEXT_READER_VERSION, type TextArea, TextReader } from './text/text-reader.ts';
import { NutrientWords } from './words/nutrient-words.ts';

/** Longer side of the read image: letters of a label that fills half of it have twenty pixels. */
const READ_PX = 1600;
/** Longer side of the photo that parts are cut from; that of 12 megapixels. */
const CLOSE_PX = 4096;
/** Maximum share of the photo's sides for a part to be enlarged. */
const SMALL_PART = 0.6;
/** Minimum lines of nutrients for a second pass. */
const LEAST_LINES = 2;
/** Margin around the lines that name nutrients, as a share of their area's sides, for heads, servings and amounts. */
const MARGIN = 0.25;
/** Minimum enlargement of the table in the second pass. */
const LARGER = 1.4;

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

  /** Closes `reader` when it is closed. */
  static async open(reader?: TextReader): Promise<LabelRecognizer> {
    return new LabelRecognizer(reader ?? (await TextReader.open()), await NutrientWords.open());
  }

  async recognize(photo: Photo, signal: AbortSignal): Promise<Recognition> {
    const area = await this.#reader.look(await photo.grey(READ_PX), signal);
    if (area === undefined) return { proposals: [] };
    const first = await this.#readPart(photo, area, area.isSideways, signal);
    if (isWeighed(first.facts)) return proposalOf(first, first.facts);
    const closer = await this.#lookCloser(photo, area, first, signal);
    if (closer !== undefined && (isWeighed(closer.facts) || 'refused' in first.facts)) {
      const { proposals, details } = proposalOf(closer, closer.facts);
      return { proposals, details: { ...details, looks: 2 } };
    }
    if (!('refused' in first.facts)) return proposalOf(first, first.facts);
    const { refused, unread } = first.facts;
    const details = { ...detailsOf(first), refused, ...(unread && { unread }) };
    if (refused === 'no_table') return { proposals: [], details };
    return { proposals: [], details, unreadable: sentenceOf(first.facts) };
  }

  /** Reads a part of the photo, in the highest useful resolution. */
  async #readPart(photo: Photo, part: Box, isSideways: boolean, signal: AbortSignal): Promise<ReadPart> {
    const { pixels: image } = croppedTo(await photo.grey(sideFor(part)), part);
    signal.throwIfAborted();
    const text = await this.#reader.read(image, isSideways, signal);
    return { part, text, facts: readLabel(text.lines, this.#words) };
  }

  /** Reads the area of the table again if that enlarges it: other text of the photo may be far away. */
  async #lookCloser(
    photo: Photo,
    { isSideways }: TextArea,
    { part, text, facts }: ReadPart,
    signal: AbortSignal,
  ): Promise<(ReadPart & { readonly facts: LabelFacts | ServingFacts }) | undefined> {
    if (facts.lines.length < LEAST_LINES) return undefined;
    const table = widened(within(part, text.boxOf(facts.lines)));
    if (scaleOf(photo, table) < LARGER * scaleOf(photo, part)) return undefined;
    const closer = await this.#readPart(photo, table, isSideways, signal);
    return 'refused' in closer.facts ? undefined : { ...closer, facts: closer.facts };
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}

function sentenceOf({ refused, unread = [] }: LabelRefusal): string {
  const names = unread.map((nutrient) => WORDS[nutrient] ?? nutrient).join(', ');
  const what: Readonly<Record<Exclude<LabelRefusal['refused'], 'no_table'>, string>> = {
    names_unread: 'the names of the nutrients could not be read (labels in Latin letters are)',
    no_serving_weight: 'it could not be read what amount the values are of',
    values_missing: `these values could not be read: ${names}`,
    heads_unread: 'the heads of the columns could not be read',
    does_not_add_up: `the values as read do not add up: ${names}`,
  };
  return `The image shows nutrition facts, but ${refused === 'no_table' ? 'no table was found' : what[refused]}.`;
}

const WORDS: Readonly<Record<string, string>> = { saturatedFat: 'saturated fat', fiber: 'fibre' };

interface ReadPart {
  readonly part: Box;
  readonly text: RecognizedText;
  readonly facts: LabelFacts | ServingFacts | LabelRefusal;
}

function detailsOf({ text }: ReadPart) {
  return { lines: text.lines.length, quartersTurned: text.quarters };
}

/** Whether the weight of the serving is known. */
function isWeighed(facts: ReadPart['facts']): facts is LabelFacts | ServingFacts {
  return !('refused' in facts) && facts.serving.basisAmount !== undefined;
}

function proposalOf(read: ReadPart, facts: LabelFacts | ServingFacts): Recognition {
  const { column, lines, confidence } = facts;
  const seen = { confidence, box: within(read.part, read.text.boxOf(lines)) };
  const details = { ...detailsOf(read), ...(column && { column }) };
  if ('perServing' in facts) {
    const { perServing, serving } = facts;
    return { proposals: [{ kind: 'serving_label', perServing, serving, ...seen }], details };
  }
  const { basis, per100, serving, scaled } = facts;
  return {
    proposals: [{ kind: 'label', basis, per100, serving, ...seen }],
    details: { ...details, ...(scaled && { scaled }) },
  };
}

/** Longer side of the photo for which a part has a length of READ_PX. */
function sideFor({ width, height }: Box): number {
  const share = Math.max(width, height);
  return share > SMALL_PART ? READ_PX : Math.min(CLOSE_PX, Math.round(READ_PX / share));
}

/** Pixels in the read part for each pixel of the photo. */
function scaleOf({ widthPx, heightPx }: Photo, part: Box): number {
  return Math.min(1, sideFor(part) / Math.max(widthPx, heightPx));
}

function within(part: Box, { left, top, width, height }: Box): Box {
  return {
    left: part.left + left * part.width,
    top: part.top + top * part.height,
    width: width * part.width,
    height: height * part.height,
  };
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
