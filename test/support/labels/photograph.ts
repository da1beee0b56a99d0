import sharp from 'sharp';
import type { Random } from './printed-facts.ts';

/** Changes between printing a label and the photo. Shares are of the image's width. */
export interface Shot {
  /** How much shorter the far edge is, and which. */
  readonly perspective?: number;
  readonly turnDegrees?: number;
  /** Bend of the rows around a bottle, as a share. */
  readonly curve?: number;
  /** Half of the angle of a can that the label covers, seen from slightly above, in degrees. */
  readonly cylinderDegrees?: number;
  /** Depth of the folds of a bag: how far they shift what is printed, as a share. */
  readonly crumple?: number;
  /** Brightness of a reflection, 0 to 1; it covers a fifth of the width. */
  readonly glare?: number;
  /** Standard deviation in pixels. */
  readonly blur?: number;
  /** Standard deviation in grey levels of 256. */
  readonly noise?: number;
  /** JPEG quality. */
  readonly quality?: number;
  /** The label's share of the photo's width. */
  readonly fills?: number;
  /** The size of the photo in pixels; `fills` is the label's share of its width. */
  readonly within?: { readonly width: number; readonly height: number };
}

const PHOTO_PX = 1500;
const TABLE = { r: 120, g: 100, b: 80 };

/** A JPEG of the SVG, as a camera may see it on a table. `random` yields 0 to 1. */
export async function photograph(svg: Buffer, shot: Shot, random: Random): Promise<Buffer> {
  const {
    perspective = 0,
    turnDegrees = 0,
    curve = 0,
    cylinderDegrees = 0,
    crumple = 0,
    glare = 0,
    blur = 0,
    noise = 0,
    quality = 88,
    fills = 0.85,
    within,
  } = shot;
  const label = await sharp(svg)
    .resize({ width: Math.round((within?.width ?? PHOTO_PX) * fills), height: PHOTO_PX, fit: 'inside' })
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
  const folds = crumple === 0 ? [] : foldsOf(crumple, random);
  const [glareX, glareY] = glare === 0 ? [0, 0] : [0.7 * random() - 0.35, 0.7 * random() - 0.35];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const u = x / width - 0.5;
      const v = y / height - 0.5;
      // Rows at the top are narrower; the middle columns are lower.
      const depth = 1 + perspective * v;
      const [aroundX, bend] = cylinderDegrees === 0 ? [u, 0] : unrolled(u, cylinderDegrees);
      const [foldX, foldY] = shiftOf(folds, u, v);
      const sx = (aroundX / depth + 0.5 + foldX) * width;
      const sy = (v / depth + 0.5 - curve * (u * u * 4 - 0.5) + bend + foldY) * height;
      const shine = glare * Math.exp(-(((u - glareX) ** 2 + ((v - glareY) * 2) ** 2) / 0.01)) * 255;
      for (let channel = 0; channel < 3; channel++) {
        const grain = noise === 0 ? 0 : noise * gauss(random);
        const light = sample(data, width, height, sx, sy, channel);
        seen[(y * width + x) * 3 + channel] = clamp(light + shine + grain);
      }
    }
  }
  const image = sharp(seen, { raw: { width, height, channels: 3 } });
  const blurred = blur > 0.3 ? image.blur(blur) : image;
  if (within === undefined) return blurred.jpeg({ quality }).toBuffer();
  const top = Math.floor((within.height - height) * random());
  const left = Math.floor((within.width - width) * random());
  const table = sharp({ create: { ...within, channels: 3, background: TABLE } });
  const placed = table.composite([{ input: await blurred.png().toBuffer(), top, left }]);
  return placed.jpeg({ quality }).toBuffer();
}

/** The share of elevation of a camera that looks at a can from above. */
const ELEVATION = 0.12;

/** The position on the label of a can for a point of the photo, and how much lower it is than in the middle. */
function unrolled(u: number, degrees: number): [aroundX: number, bend: number] {
  const half = (degrees * Math.PI) / 180;
  const sine = Math.max(-1, Math.min(1, 2 * u * Math.sin(half)));
  return [Math.asin(sine) / (2 * half), -ELEVATION * (1 - Math.sqrt(1 - sine * sine))];
}

interface Fold {
  readonly cos: number;
  readonly sin: number;
  readonly frequency: number;
  readonly phase: number;
  readonly depth: number;
}

function foldsOf(depth: number, random: Random): Fold[] {
  return Array.from({ length: 5 }, () => {
    const angle = 2 * Math.PI * random();
    const frequency = 4 + 10 * random();
    return {
      cos: Math.cos(angle),
      sin: Math.sin(angle),
      frequency,
      phase: 2 * Math.PI * random(),
      depth: (depth * 6) / frequency,
    };
  });
}

function shiftOf(folds: readonly Fold[], u: number, v: number): [x: number, y: number] {
  let [x, y] = [0, 0];
  for (const { cos, sin, frequency, phase, depth } of folds) {
    const height = depth * Math.sin(frequency * (u * cos + v * sin) + phase);
    x += height * cos;
    y += height * sin;
  }
  return [x, y];
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
