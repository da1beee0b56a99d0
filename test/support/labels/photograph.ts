import sharp from 'sharp';
import type { Random } from './printed-facts.ts';

/** What happens to a label between printing and the photo. Shares are of the image's width. */
export interface Shot {
  /** How much shorter the far edge is, and which. */
  readonly perspective?: number;
  readonly turnDegrees?: number;
  /** Bend of the rows around a bottle, as a share. */
  readonly curve?: number;
  /** Standard deviation in pixels. */
  readonly blur?: number;
  /** Standard deviation in grey levels of 256. */
  readonly noise?: number;
  /** JPEG quality. */
  readonly quality?: number;
  /** The label's share of the photo's width. */
  readonly fills?: number;
}

const PHOTO_PX = 1500;
const TABLE = { r: 120, g: 100, b: 80 };

/** A JPEG of the SVG, as a camera may see it on a table. `random` yields 0 to 1. */
export async function photograph(svg: Buffer, shot: Shot, random: Random): Promise<Buffer> {
  const {
    perspective = 0,
    turnDegrees = 0,
    curve = 0,
    blur = 0,
    noise = 0,
    quality = 88,
    fills = 0.85,
  } = shot;
  const label = await sharp(svg)
    .resize({ width: Math.round(PHOTO_PX * fills), height: PHOTO_PX, fit: 'inside' })
    .png()
    .toBuffer();
  const flat = sharp(label).extend({ top: 60, bottom: 60, left: 60, right: 60, background: TABLE });
  const turned = sharp(await flat.png().toBuffer())
    .rotate(turnDegrees, { background: TABLE })
    .flatten()
    .removeAlpha();
  const { data, info } = await turned.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const seen = Buffer.alloc(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const u = x / width - 0.5;
      const v = y / height - 0.5;
      // Rows to the top shrink towards the middle; columns from the middle sink.
      const depth = 1 + perspective * v;
      const sx = (u / depth + 0.5) * width;
      const sy = (v / depth + 0.5 - curve * (u * u * 4 - 0.5)) * height;
      for (let channel = 0; channel < 3; channel++) {
        const grain = noise === 0 ? 0 : noise * gauss(random);
        seen[(y * width + x) * 3 + channel] = clamp(sample(data, width, height, sx, sy, channel) + grain);
      }
    }
  }
  const image = sharp(seen, { raw: { width, height, channels: 3 } });
  return (blur > 0.3 ? image.blur(blur) : image).jpeg({ quality }).toBuffer();
}

function sample(data: Buffer, width: number, height: number, x: number, y: number, channel: number): number {
  const left = Math.max(0, Math.min(width - 2, Math.floor(x)));
  const top = Math.max(0, Math.min(height - 2, Math.floor(y)));
  const fx = Math.max(0, Math.min(1, x - left));
  const fy = Math.max(0, Math.min(1, y - top));
  const at = (row: number, column: number) => data[(row * width + column) * 3 + channel]!;
  const upper = at(top, left) * (1 - fx) + at(top, left + 1) * fx;
  const lower = at(top + 1, left) * (1 - fx) + at(top + 1, left + 1) * fx;
  return upper * (1 - fy) + lower * fy;
}

function gauss(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
