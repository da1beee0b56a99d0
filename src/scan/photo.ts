import type { ImageType } from './image-headers/image-facts.ts';

/** Rows from the top, each `widthPx * channels` bytes. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly data: Uint8Array;
}

/** The interpolation kernel for resizing; shrinking averages over the covered area with it. */
export type ScalingKernel = 'cubic' | 'linear' | 'lanczos3';

/**
 * An image as recognizers see it: upright by its EXIF orientation, without metadata, in sRGB, transparent parts white.
 * Each form is decoded when it is first asked for and kept while the photo is open; none is larger than the image.
 */
export interface Photo {
  readonly type: ImageType;
  /** Of the upright image. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** One byte a pixel, scaled so that the longer side has at most this many. */
  grey(maxSidePx: number): Promise<Pixels>;
  /** Three bytes a pixel. `squash` ignores the proportions, `cover` cuts out the middle. The default kernel is `lanczos3`. */
  rgb(
    size: { widthPx: number; heightPx: number },
    fit: 'squash' | 'cover',
    kernel?: ScalingKernel,
  ): Promise<Pixels>;
  /** As a JPEG without metadata. */
  jpeg(maxSidePx: number): Promise<Uint8Array>;
}
