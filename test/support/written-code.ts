import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';

export interface CodeToWrite {
  readonly format:
    | 'QRCode'
    | 'DataMatrix'
    | 'EAN13'
    | 'ITF'
    | 'ITF14'
    | 'Code128'
    | 'DataBar'
    | 'DataBarLtd'
    | 'DataBarExp';
  /** With `isGs1` the elements of GS1 with their identifiers in brackets. */
  readonly content: string;
  readonly isGs1?: boolean;
  /** Pixels of a module. */
  readonly scale?: number;
  /** Clockwise. */
  readonly turnedBy?: number;
  readonly isLightOnDark?: boolean;
}

let opened: Promise<unknown> | undefined;

/** A symbol with its quiet zone, as a PNG. */
async function writtenCode(code: CodeToWrite): Promise<Buffer> {
  const { format, content, isGs1 = false, scale = 4, turnedBy = 0, isLightOnDark = false } = code;
  opened ??= openWriter();
  await opened;
  const options = isGs1 ? 'gs1' : '';
  const { svg, error } = await writeBarcode(content, { format, options, scale, addQuietZones: true });
  if (error !== '') throw new Error(error);
  const side = 12 * scale;
  const symbol = await sharp(Buffer.from(svg))
    .flatten({ background: '#fff' })
    .extend({ top: side, bottom: side, left: side, right: side, background: '#fff' })
    .png()
    .toBuffer();
  const shown = isLightOnDark ? await sharp(symbol).negate().png().toBuffer() : symbol;
  const background = isLightOnDark ? '#000' : '#fff';
  return sharp(shown).rotate(turnedBy, { background }).png().toBuffer();
}

async function openWriter(): Promise<void> {
  // The package's default would download the file from a public server.
  const file = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm');
  const { buffer } = new Uint8Array(await readFile(file));
  await prepareZXingModule({ overrides: { wasmBinary: buffer }, fireImmediately: true });
}

export interface PlacedCode extends CodeToWrite {
  /** Position of the symbol's middle, as shares of the photo. */
  readonly x?: number;
  readonly y?: number;
}

/** A photo of 1,600 x 1,200 pixels with codes on it. */
export async function photoOfCodes(...codes: readonly PlacedCode[]): Promise<Buffer> {
  const [width, height] = [1600, 1200];
  const layers = codes.map(async ({ x = 0.5, y = 0.5, ...code }) => {
    const input = await writtenCode(code);
    const size = await sharp(input).metadata();
    return {
      input,
      left: Math.round(x * width - size.width / 2),
      top: Math.round(y * height - size.height / 2),
    };
  });
  return sharp({ create: { width, height, channels: 3, background: '#8a8' } })
    .composite(await Promise.all(layers))
    .jpeg({ quality: 80 })
    .toBuffer();
}
