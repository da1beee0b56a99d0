import type { Pixels } from './photo.ts';

const CHANNELS = 3;

/**
 * Scales RGB pixels down. Each output pixel is the mean of the area it covers, with partial pixels weighted by their
 * share. Unlike interpolation kernels this neither rings at edges nor blurs beyond a pixel.
 */
export function areaMean(pixels: Pixels, widthPx: number, heightPx: number): Pixels {
  const { data, widthPx: fromWidthPx, heightPx: fromHeightPx } = pixels;
  const columns = coverings(fromWidthPx, widthPx);
  const rows = coverings(fromHeightPx, heightPx);
  const narrow = new Float32Array(widthPx * CHANNELS * fromHeightPx);
  for (let y = 0; y < fromHeightPx; y++) {
    for (const [x, { first, shares }] of columns.entries()) {
      const to = (y * widthPx + x) * CHANNELS;
      for (const [nth, share] of shares.entries()) {
        const from = (y * fromWidthPx + first + nth) * CHANNELS;
        for (let c = 0; c < CHANNELS; c++) narrow[to + c]! += share * data[from + c]!;
      }
    }
  }
  const rowLength = widthPx * CHANNELS;
  const mean = new Float32Array(rowLength);
  const small = new Uint8Array(rowLength * heightPx);
  for (const [y, { first, shares }] of rows.entries()) {
    mean.fill(0);
    for (const [nth, share] of shares.entries()) {
      const from = (first + nth) * rowLength;
      for (let at = 0; at < rowLength; at++) mean[at]! += share * narrow[from + at]!;
    }
    for (let at = 0; at < rowLength; at++) small[y * rowLength + at] = Math.round(mean[at]!);
  }
  return { widthPx, heightPx, data: small };
}

/** The input pixels under an output pixel, from `first` on, with their shares, which add up to 1. */
interface Covering {
  readonly first: number;
  readonly shares: readonly number[];
}

function coverings(inputs: number, outputs: number): readonly Covering[] {
  const size = inputs / outputs;
  return Array.from({ length: outputs }, (_, output) => {
    const start = output * size;
    const end = Math.min(inputs, start + size);
    const first = Math.floor(start);
    const shares: number[] = [];
    for (let input = first; input < end; input++) {
      shares.push((Math.min(input + 1, end) - Math.max(input, start)) / size);
    }
    return { first, shares };
  });
}
