import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** Symbols on packages of food. Others would be found in random patterns. */
const OPTIONS: ReaderOptions = {
  formats: ['EAN13', 'EAN8', 'UPCA', 'UPCE', 'QRCode', 'DataMatrix'],
  maxNumberOfSymbols: 1,
  tryHarder: true,
  tryRotate: true,
  tryInvert: false,
  minLineCount: 2,
};

/** Loads the reader, whose WebAssembly the service serves itself. */
export async function openReader(): Promise<void> {
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });
}

/** What stands in the first symbol of an image, as a scanner gives it; undefined if there is none. */
export async function readCode(image: ImageData): Promise<string | undefined> {
  const [found] = await readBarcodes(image, OPTIONS);
  if (found?.isValid !== true) return undefined;
  // The identifier tells a GS1 element string from other texts.
  const isSquare = found.format === 'QRCode' || found.format === 'DataMatrix';
  return isSquare ? found.symbologyIdentifier + found.text : found.text;
}
