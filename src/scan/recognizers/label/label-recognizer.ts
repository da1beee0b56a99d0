import type { Photo } from '../../images/photo.ts';
import type { Recognition, Recognizer } from '../../recognizer.ts';
import { NutrientWords } from './nutrient-words.ts';
import { readLabel } from './read-label.ts';
import { TEXT_READER_VERSION, TextReader } from './text/text-reader.ts';

/** Longer side of the image: letters of a label that fills half of it have twenty pixels. */
const READ_PX = 1600;

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
    if ('refused' in facts) {
      const { refused, unread } = facts;
      return { proposals: [], details: { ...details, refused, ...(unread && { unread }) } };
    }
    const { basis, per100, serving, confidence, column, lines } = facts;
    const box = text.boxOf(lines);
    const proposal = { kind: 'label', basis, per100, serving, confidence, box } as const;
    return { proposals: [proposal], details: { ...details, ...(column && { column }) } };
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}
