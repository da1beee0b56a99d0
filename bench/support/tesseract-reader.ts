import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { TextLine } from '../../src/scan/recognizers/label/text/text-line.ts';

/** The used part of tesseract.js, which is no dependency of the project. */
interface Tesseract {
  createWorker(
    language: string,
    engine: number,
    options: { langPath: string; cacheMethod: string; gzip: boolean },
  ): Promise<{
    recognize(
      image: Buffer,
      options: { rotateAuto: boolean },
      output: { blocks: boolean },
    ): Promise<{ data: { blocks: Block[] | null } }>;
    terminate(): Promise<unknown>;
  }>;
}

interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

interface Block {
  readonly paragraphs: readonly { readonly lines: readonly Line[] }[];
}

interface Line {
  readonly bbox: Box;
  readonly words: readonly {
    readonly bbox: Box;
    readonly symbols: readonly { readonly text: string; readonly confidence: number; readonly bbox: Box }[];
  }[];
}

const INSTALL = 'npm install --no-save tesseract.js@7.0.0 @tesseract.js-data/eng@1.0.0';

/** Lines of text read by Tesseract 5 (English), in the format of our own reader. */
export class TesseractReader {
  readonly #worker: Awaited<ReturnType<Tesseract['createWorker']>>;

  private constructor(worker: Awaited<ReturnType<Tesseract['createWorker']>>) {
    this.#worker = worker;
  }

  /** Throws if tesseract.js is not installed, and says how to install it. */
  static async open(): Promise<TesseractReader> {
    const require = createRequire(import.meta.url);
    try {
      const tesseract: Tesseract = require('tesseract.js');
      const langPath = join(
        dirname(require.resolve('@tesseract.js-data/eng/package.json')),
        '4.0.0_best_int',
      );
      return new TesseractReader(
        await tesseract.createWorker('eng', 1, { langPath, cacheMethod: 'none', gzip: true }),
      );
    } catch (cause) {
      throw new Error(`To compare with Tesseract, first: ${INSTALL}`, { cause });
    }
  }

  async read(image: Buffer): Promise<TextLine[]> {
    const { data } = await this.#worker.recognize(image, { rotateAuto: true }, { blocks: true });
    const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap((each) => each.lines));
    return lines.map(toTextLine).filter(({ characters }) => characters.length > 0);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

function toTextLine({ bbox, words }: Line): TextLine {
  const [length, height] = [bbox.x1 - bbox.x0, bbox.y1 - bbox.y0];
  const at = (x: number) => (x - bbox.x0) / length;
  const characters = words.flatMap(({ bbox: { x0 }, symbols }, index) => [
    ...(index === 0 ? [] : [{ character: ' ', at: at(x0), confidence: 1 }]),
    ...symbols.map(({ text, confidence, bbox: box }) => ({
      character: text,
      at: at((box.x0 + box.x1) / 2),
      confidence: confidence / 100,
    })),
  ]);
  const region = { centreX: bbox.x0 + length / 2, centreY: bbox.y0 + height / 2, length, height, angle: 0 };
  return { region, characters };
}
