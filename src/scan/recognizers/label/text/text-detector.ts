import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Pixels } from '../../../images/photo.ts';
import { sampleGrid } from './grey-image.ts';
import type { TextRegion } from './text-line.ts';
import { findTextRegions } from './text-regions.ts';

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
