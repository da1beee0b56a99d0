import { OperatorError } from '@larder/core/errors.ts';
import type { ModelDescription } from './model-description.ts';

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const LARGEST_BYTE = 127;

type MemoryRule = NonNullable<ModelDescription['memory']>;

/**
 * Reduces what a network holds of a photo before its last layer to few bytes whose cosines tell how alike photos are. The file has `size` scales and `size`
 * offsets (float32, little-endian), then `size` rows of `width` int8; component k is `scale[k] * sum(row[k] * x) - offset[k]`, where x
 * is the mean over the views of the photo, after each tower's part was brought to length 1.
 */
export class InnerProjection {
  readonly #rule: MemoryRule;
  readonly #scales: Float32Array;
  readonly #offsets: Float32Array;
  readonly #rows: Int8Array;

  /** Throws an `OperatorError` if the file has another length. */
  constructor(path: string, bytes: Buffer, rule: MemoryRule) {
    const { size, width } = rule;
    const length = size * (2 * FLOAT_BYTES + width);
    if (bytes.length !== length)
      throw new OperatorError(`${path} has ${bytes.length} bytes, but model.json speaks of ${length}.`);
    this.#rule = rule;
    const floats = (at: number) =>
      Float32Array.from({ length: size }, (_, k) => bytes.readFloatLE((at + k) * FLOAT_BYTES));
    this.#scales = floats(0);
    this.#offsets = floats(size);
    this.#rows = new Int8Array(bytes.subarray(2 * size * FLOAT_BYTES));
  }

  /** The vector of a photo, by the output of each of its views. */
  project(views: readonly Float32Array[]): Int8Array {
    const { size, width } = this.#rule;
    const inner = this.#meanOf(views);
    const vector = new Float32Array(size);
    for (let k = 0, at = 0; k < size; k++) {
      let sum = 0;
      for (let i = 0; i < width; i++) sum += this.#rows[at++]! * inner[i]!;
      vector[k] = this.#scales[k]! * sum - this.#offsets[k]!;
    }
    // Only its direction counts.
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    return Int8Array.from(vector, (value) =>
      largest === 0 ? 0 : Math.round((value * LARGEST_BYTE) / largest),
    );
  }

  #meanOf(views: readonly Float32Array[]): Float32Array {
    const { towers, width } = this.#rule;
    const part = width / towers;
    const mean = new Float32Array(width);
    for (const view of views) {
      for (let from = 0; from < width; from += part) {
        let squares = 0;
        for (let i = from; i < from + part; i++) squares += view[i]! ** 2;
        const factor = squares === 0 ? 0 : 1 / (Math.sqrt(squares) * views.length);
        for (let i = from; i < from + part; i++) mean[i]! += view[i]! * factor;
      }
    }
    return mean;
  }
}
