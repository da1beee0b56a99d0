import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Pixels } from '../../../images/photo.ts';
import { straighten } from './grey-image.ts';
import type { ReadCharacter, TextLine, TextRegion } from './text-line.ts';

/** Input height of the network. */
const LINE_HEIGHT_PX = 48;
const MIN_WIDTH_PX = 48;
/** Longer lines are compressed: 40 characters of a linear label still fit. */
const MAX_WIDTH_PX = 1440;
/** Lines of a batch are padded to the longest, which is at most this much longer than the shortest. */
const MAX_PADDING = 1.3;
const MAX_BATCH = 8;

/** Reads lines of text with PaddleOCR's recognition network and CTC decoding. */
export class TextLineReader {
  readonly #session: InferenceSession;
  /** Characters by the network's index. */
  readonly #letters: readonly string[];

  private constructor(session: InferenceSession, letters: readonly string[]) {
    this.#session = session;
    // Index 0 is the CTC blank; the space follows after the dictionary.
    this.#letters = ['', ...letters, ' '];
  }

  /** `network` is ONNX, `letters` the network's dictionary with a letter a line. */
  static async open(files: { network: string; letters: string }): Promise<TextLineReader> {
    const [session, letters] = await Promise.all([
      InferenceSession.create(files.network, { intraOpNumThreads: 1, interOpNumThreads: 1 }),
      readFile(files.letters, 'utf8'),
    ]);
    return new TextLineReader(session, letters.replace(/\n$/, '').split('\n'));
  }

  /** Regions without legible characters are left out. Stops between batches if aborted. */
  async read(image: Pixels, regions: readonly TextRegion[], signal: AbortSignal): Promise<TextLine[]> {
    const lines: TextLine[] = [];
    const waiting = regions
      .map((region) => ({ region, width: widthOf(region) }))
      .sort((a, b) => a.width - b.width);
    while (waiting.length > 0) {
      signal.throwIfAborted();
      const longest = waiting[0]!.width * MAX_PADDING;
      let size = 1;
      while (size < MAX_BATCH && size < waiting.length && waiting[size]!.width <= longest) size++;
      lines.push(...(await this.#readBatch(image, waiting.splice(0, size))));
    }
    return lines;
  }

  close(): Promise<void> {
    return this.#session.release();
  }

  async #readBatch(
    image: Pixels,
    batch: readonly { region: TextRegion; width: number }[],
  ): Promise<TextLine[]> {
    const batchWidth = Math.max(...batch.map(({ width }) => width));
    const plane = LINE_HEIGHT_PX * batchWidth;
    const input = new Float32Array(batch.length * 3 * plane);
    for (const [index, { region, width }] of batch.entries()) {
      const grey = straighten(image, region, LINE_HEIGHT_PX, width);
      for (let row = 0; row < LINE_HEIGHT_PX; row++) {
        for (let column = 0; column < width; column++) {
          const value = grey[row * width + column]! / 127.5 - 1;
          const at = index * 3 * plane + row * batchWidth + column;
          input[at] = value;
          input[at + plane] = value;
          input[at + 2 * plane] = value;
        }
      }
    }
    const tensor = new Tensor('float32', input, [batch.length, 3, LINE_HEIGHT_PX, batchWidth]);
    const outputs = await this.#session.run({ [this.#session.inputNames[0]!]: tensor });
    const { data, dims } = outputs[this.#session.outputNames[0]!]!;
    const [, steps, classes] = dims as [number, number, number];
    return batch.flatMap(({ region, width }, index) => {
      const from = index * steps * classes;
      const scores = (data as Float32Array).subarray(from, from + steps * classes);
      const characters = this.#decode(scores, classes, (steps * width) / batchWidth);
      return characters.length === 0 ? [] : [{ region, characters }];
    });
  }

  /** CTC: the likeliest letter of each step; repetitions without a blank between are one character. */
  #decode(scores: Float32Array, classes: number, usedSteps: number): ReadCharacter[] {
    const characters: ReadCharacter[] = [];
    let previous = 0;
    for (let step = 0; step * classes < scores.length && step <= usedSteps; step++) {
      const base = step * classes;
      let best = 0;
      for (let index = 1; index < classes; index++)
        if (scores[base + index]! > scores[base + best]!) best = index;
      if (best !== 0 && best !== previous) {
        characters.push({
          character: this.#letters[best]!,
          at: Math.min(1, (step + 0.5) / usedSteps),
          confidence: scores[base + best]!,
        });
      }
      previous = best;
    }
    return characters;
  }
}

function widthOf({ length, height }: TextRegion): number {
  const width = Math.round((length / height) * LINE_HEIGHT_PX);
  return Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, width));
}
