import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Pixels } from '../../../images/photo.ts';
import { sampleGrid } from './grey-image.ts';
import type { TextRegion } from './text-line.ts';

/** Probability of each pixel to be in the core of a line, 0 to 1, rows from the top. */
export interface TextMap {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Minimum probability of a pixel; PaddleOCR's `det_db_thresh`. */
const PIXEL_THRESHOLD = 0.3;
/** Minimum average probability of a region. */
const REGION_THRESHOLD = 0.5;
const MIN_PIXELS = 6;
/** The network marks only the core of a line; a line is this much larger. PaddleOCR's `det_db_unclip_ratio`. */
const UNCLIP_RATIO = 1.6;
/** Maximum regions; more are texture. */
const MAX_REGIONS = 400;
/** Minimum ratio of length to height at which the pixels determine the line's direction. */
const LONG = 3;
/** Number of nearby lines that determine a short line's direction. */
const NEIGHBOURS = 5;

interface Component {
  readonly xs: number[];
  readonly ys: number[];
}

/** Lines of text in the map, in its pixels, enlarged to their full height. Excess regions are dropped. */
function findTextRegions(map: TextMap): TextRegion[] {
  const components = findComponents(map).slice(0, MAX_REGIONS);
  const own = components.map(directionOf);
  const long = own.flatMap((direction) => (direction.elongation >= LONG ? [direction] : []));
  return components.map((component, index) => {
    const direction = own[index]!;
    const angle = direction.elongation >= LONG ? direction.angle : angleNear(direction, long);
    return grow(bound(component, angle));
  });
}

/** 4-connected pixels above the threshold, largest first. */
function findComponents({ width, height, data }: TextMap): Component[] {
  const seen = new Uint8Array(width * height);
  const stack: number[] = [];
  const components: Component[] = [];
  for (let start = 0; start < data.length; start++) {
    if (seen[start] === 1 || data[start]! < PIXEL_THRESHOLD) continue;
    const xs: number[] = [];
    const ys: number[] = [];
    let sum = 0;
    stack.push(start);
    seen[start] = 1;
    while (stack.length > 0) {
      const at = stack.pop()!;
      const x = at % width;
      const y = (at - x) / width;
      xs.push(x);
      ys.push(y);
      sum += data[at]!;
      const neighbours = [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width];
      for (const next of neighbours) {
        if (next < 0 || next >= data.length || seen[next] === 1 || data[next]! < PIXEL_THRESHOLD) continue;
        seen[next] = 1;
        stack.push(next);
      }
    }
    if (xs.length >= MIN_PIXELS && sum / xs.length >= REGION_THRESHOLD) components.push({ xs, ys });
  }
  return components.sort((a, b) => b.xs.length - a.xs.length);
}

interface Direction {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  /** Ratio of the spread along the line to that across. */
  readonly elongation: number;
}

/** Computes the direction by the principal axis of the pixels. */
function directionOf({ xs, ys }: Component): Direction {
  const x = mean(xs);
  const y = mean(ys);
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < xs.length; i++) {
    const dx = xs[i]! - x;
    const dy = ys[i]! - y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  const spread = Math.hypot((xx - yy) / 2, xy);
  const along = (xx + yy) / 2 + spread;
  const across = Math.max((xx + yy) / 2 - spread, xs.length / 12);
  return { x, y, angle, elongation: Math.sqrt(along / across) };
}

/** The median angle of nearby lines: lines of one table have similar angles, which perspective changes slowly. */
function angleNear({ x, y }: Direction, long: readonly Direction[]): number {
  const angles = long
    .map((other) => ({ angle: other.angle, far: Math.hypot(other.x - x, other.y - y) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, NEIGHBOURS)
    .map(({ angle }) => angle)
    .sort((a, b) => a - b);
  return angles[angles.length >> 1] ?? 0;
}

function bound({ xs, ys }: Component, angle: number): TextRegion {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  let [minU, maxU, minV, maxV] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < xs.length; i++) {
    const u = xs[i]! * cos + ys[i]! * sin;
    const v = ys[i]! * cos - xs[i]! * sin;
    minU = Math.min(minU, u);
    maxU = Math.max(maxU, u);
    minV = Math.min(minV, v);
    maxV = Math.max(maxV, v);
  }
  const u = (minU + maxU) / 2;
  const v = (minV + maxV) / 2;
  return {
    // A pixel's middle is half a pixel from its corner.
    centreX: u * cos - v * sin + 0.5,
    centreY: u * sin + v * cos + 0.5,
    length: maxU - minU + 1,
    height: maxV - minV + 1,
    angle,
  };
}

function grow(region: TextRegion): TextRegion {
  const { length, height } = region;
  const by = (UNCLIP_RATIO * length * height) / (length + height);
  return { ...region, length: length + by, height: height + by };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The network halves its input five times. */
const GRID_PX = 32;
/** Maximum enlargement of small areas: the network was trained on larger text. */
const LEAST_STEP_PX = 0.67;
/** Means of ImageNet, the training data: red, green, blue. */
const MEANS = [0.485, 0.456, 0.406];
const DEVIATIONS = [0.229, 0.224, 0.225];

/** Part of an image, in pixels. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Finds lines of text with PaddleOCR's detection network (differentiable binarization, DB). */
export class TextDetector {
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /** `file` holds the network as ONNX. */
  static async open(file: string): Promise<TextDetector> {
    return new TextDetector(
      await InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 }),
    );
  }

  /** Results are in pixels of the image. The area is scaled to at most `maxSidePx` along its longer side. */
  async detect(image: Pixels, area: Area, maxSidePx: number): Promise<TextRegion[]> {
    const stepPx = Math.max(LEAST_STEP_PX, Math.max(area.width, area.height) / maxSidePx);
    const width = roundUp(area.width / stepPx);
    const height = roundUp(area.height / stepPx);
    const grey = sampleGrid(image, { left: area.left, top: area.top, width, height, stepPx });
    const input = new Float32Array(3 * grey.length);
    for (let channel = 0; channel < 3; channel++) {
      const scale = 1 / (255 * DEVIATIONS[channel]!);
      const shift = MEANS[channel]! / DEVIATIONS[channel]!;
      for (let i = 0; i < grey.length; i++) input[channel * grey.length + i] = grey[i]! * scale - shift;
    }
    const name = this.#session.inputNames[0]!;
    const outputs = await this.#session.run({ [name]: new Tensor('float32', input, [1, 3, height, width]) });
    const data = outputs[this.#session.outputNames[0]!]!.data as Float32Array;
    return findTextRegions({ width, height, data }).map((region) => ({
      centreX: area.left + region.centreX * stepPx,
      centreY: area.top + region.centreY * stepPx,
      length: region.length * stepPx,
      height: region.height * stepPx,
      angle: region.angle,
    }));
  }

  close(): Promise<void> {
    return this.#session.release();
  }
}

function roundUp(px: number): number {
  return Math.max(1, Math.ceil(px / GRID_PX)) * GRID_PX;
}
