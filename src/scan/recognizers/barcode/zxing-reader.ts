import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { hasValidCheckDigit, toGtin } from '@larder/core/gtin.ts';
import {
  prepareZXingModule,
  ZXING_WASM_VERSION,
  type ZXingPosition,
  type ZXingReaderOptions,
  type ZXingReadResult,
} from 'zxing-wasm/reader';
import type { Pixels } from '../../images/photo.ts';

export const READER_VERSION = `zxing-wasm ${ZXING_WASM_VERSION}`;

/** The symbologies of food packages. Others would find barcodes in random patterns. */
const FORMATS = 'EAN13,EAN8,UPCA,UPCE';

/** Two-dimensional symbols, which packages also have. Their error correction prevents misreading. */
const MATRIX_FORMATS = 'QRCode,DataMatrix';

/** Bars of cases, of weighed goods and of loose fruit: ITF-14, GS1-128 and GS1 DataBar. */
const TRADE_FORMATS = 'ITF14,Code128,DataBar,DataBarLtd,DataBarExp';

export type BarcodeFormat = 'EAN13' | 'EAN8' | 'UPCA' | 'UPCE';

/** One barcode in one image. */
export interface BarcodeReading {
  readonly format: BarcodeFormat;
  /** 8 digits of an EAN-8, else 13: a UPC-A with a leading zero, a UPC-E expanded to UPC-A. */
  readonly digits: string;
  /** Whether the check digit is right. If not, there are bars, but they were misread. */
  readonly isValid: boolean;
  /** Number of rows or columns with this reading. */
  readonly lines: number;
  /** Corners in pixels of the image. */
  readonly corners: ZXingPosition;
}

/** One symbol in one image that holds more than a retail number. */
export interface DataReading {
  /** Data of the symbol after its symbology identifier, such as `]Q1`. */
  readonly text: string;
  /** Number of rows with this reading; 0 for square symbols. */
  readonly lines: number;
  /** Corners in pixels of the image. */
  readonly corners: ZXingPosition;
}

export interface Effort {
  /** Reads many rows and several scales. */
  readonly tryHarder: boolean;
  /** Finds bars along the rows, too. */
  readonly tryRotate: boolean;
  /** Minimum number of rows that agree. */
  readonly minLines: number;
}

/** ZXing's constants for options that callers choose; see `bindings/` of zxing-wasm. */
const OPTIONS: Omit<
  ZXingReaderOptions,
  'formats' | 'returnErrors' | 'tryHarder' | 'tryRotate' | 'minLineCount'
> = {
  tryInvert: false,
  tryDownscale: true,
  tryDenoise: false,
  binarizer: 0,
  isPure: false,
  downscaleThreshold: 500,
  downscaleFactor: 3,
  maxNumberOfSymbols: 16,
  validateOptionalChecksum: true,
  eanAddOnSymbol: 0,
  textMode: 0,
  characterSet: 0,
  tryCode39ExtendedMode: false,
};

/** A C++ vector, whose memory is not garbage-collected. */
interface ReadResults {
  size(): number;
  get(index: number): ZXingReadResult | undefined;
  delete(): void;
}

/** The used part of the WebAssembly module; the package's types need Emscripten's. */
interface ZxingModule {
  readonly HEAPU8: Uint8Array;
  /** Returns 0 if there is no free memory. */
  _malloc(sizeBytes: number): number;
  _free(at: number): void;
  /** Reads grey pixels of one byte. */
  readBarcodesFromPixmap(
    at: number,
    widthPx: number,
    heightPx: number,
    options: ZXingReaderOptions,
  ): ReadResults;
}

/**
 * ZXing, compiled to WebAssembly, for grey images. One for each thread, because its memory serves one image at a
 * time.
 */
export class BarcodeReader {
  readonly #zxing: ZxingModule;

  private constructor(zxing: ZxingModule) {
    this.#zxing = zxing;
  }

  static async open(): Promise<BarcodeReader> {
    // The package's default would download the file from a public server.
    const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
    const { buffer } = new Uint8Array(await readFile(file));
    const zxing: unknown = await prepareZXingModule({
      overrides: { wasmBinary: buffer },
      fireImmediately: true,
    });
    return new BarcodeReader(zxing as ZxingModule);
  }

  read(image: Pixels, { tryHarder, tryRotate, minLines }: Effort): BarcodeReading[] {
    const effort = { formats: FORMATS, returnErrors: true, tryHarder, tryRotate, minLineCount: minLines };
    return this.#readAll(image, { ...OPTIONS, ...effort }).map(
      ({ format, text, lineCount, position, isValid }) => ({
        format: format as BarcodeFormat,
        digits: text,
        lines: lineCount,
        corners: position,
        isValid: isValid && hasValidCheckDigit(toGtin(text)),
      }),
    );
  }

  /** Reads QR codes and Data Matrix symbols, at any angle. */
  readMatrix(image: Pixels): DataReading[] {
    return this.#readData(image, {
      formats: MATRIX_FORMATS,
      tryHarder: false,
      tryRotate: true,
      minLineCount: 1,
    });
  }

  /** Reads bars of trade units that are about upright or level. */
  readTrade(image: Pixels): DataReading[] {
    return this.#readData(image, {
      formats: TRADE_FORMATS,
      tryHarder: true,
      tryRotate: true,
      minLineCount: 2,
    });
  }

  #readData(image: Pixels, effort: Partial<ZXingReaderOptions>): DataReading[] {
    const options = { ...OPTIONS, ...effort, returnErrors: false } as ZXingReaderOptions;
    return this.#readAll(image, options).map(({ symbologyIdentifier, text, lineCount, position }) => ({
      text: symbologyIdentifier + text,
      lines: lineCount,
      corners: position,
    }));
  }

  #readAll({ widthPx, heightPx, data }: Pixels, options: ZXingReaderOptions): ZXingReadResult[] {
    const zxing = this.#zxing;
    const at = zxing._malloc(data.length);
    if (at === 0) throw new RangeError(`no memory for ${data.length} pixels`);
    try {
      zxing.HEAPU8.set(data, at);
      const found = zxing.readBarcodesFromPixmap(at, widthPx, heightPx, options);
      try {
        return Array.from({ length: found.size() }, (_, index) => found.get(index)!);
      } finally {
        found.delete();
      }
    } finally {
      zxing._free(at);
    }
  }
}
