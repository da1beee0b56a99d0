import sharp, { type Sharp } from 'sharp';
import { QUIET_MODULES } from './barcode-bars.ts';

export interface BarcodePictureOptions {
  /** Bars from `barcode-bars.ts`. */
  readonly bars: string;
  /** Width of the thinnest bar. */
  readonly modulePx?: number;
  readonly heightPx?: number;
  /** Clockwise. */
  readonly turnedBy?: number;
  /** Brightness of the scene around the label. */
  readonly background?: number;
  /** Grey of paper and ink, 0 to 255. */
  readonly paper?: number;
  readonly ink?: number;
}

/** A label with a barcode on a plain scene, half as large again; an image to be encoded or combined. */
export async function barcodePicture(parts: BarcodePictureOptions): Promise<Sharp> {
  const { bars, modulePx = 3, heightPx = 120, turnedBy = 0, background = 120, paper = 245, ink = 15 } = parts;
  const quiet = '0'.repeat(QUIET_MODULES);
  const modules = `${quiet}${bars}${quiet}`;
  const row = Buffer.from([...modules].map((bit) => (bit === '1' ? ink : paper)));
  const label = sharp(row, { raw: { width: modules.length, height: 1, channels: 1 } })
    .resize({
      width: Math.round(modules.length * modulePx),
      height: heightPx,
      fit: 'fill',
      kernel: 'nearest',
    })
    .extend({ top: 20, bottom: 20, background: toGrey(paper) });
  const turned = sharp(await label.png().toBuffer()).rotate(turnedBy, { background: toGrey(background) });
  const { data, info } = await turned.png().toBuffer({ resolveWithObject: true });
  const [marginX, marginY] = [Math.ceil(info.width / 4), Math.ceil(info.height / 4)];
  const scene = await sharp(data)
    .extend({ left: marginX, right: marginX, top: marginY, bottom: marginY, background: toGrey(background) })
    .png()
    .toBuffer();
  return sharp(scene);
}

function toGrey(level: number) {
  return { r: level, g: level, b: level };
}
