import type { ImageType } from '../scan-job.ts';
import type { Box } from '../scan-result.ts';

/** Rows from the top, each `widthPx * channels` bytes. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly data: Uint8Array;
}

/** The resizing kernel; shrinking averages over the covered area with it. */
export type ScalingKernel = 'cubic' | 'linear' | 'lanczos3';

/** Parts of an image are cut out of a copy of this size: enough for small networks, and decoded once. */
export const PART_SIDE_PX = 512;

/** How to scale an image to a size. */
export interface Scaling {
  readonly widthPx: number;
  readonly heightPx: number;
  /** `squash` ignores proportions, `cover` crops to the middle. */
  readonly fit: 'squash' | 'cover';
  /** Only this part of the image, out of a copy whose longer side has at most `PART_SIDE_PX` pixels; the whole if absent. */
  readonly part?: Box;
  /** `lanczos3` by default. */
  readonly kernel?: ScalingKernel;
  /** A larger image is first scaled to this size and compressed as WebP, for models trained on such images. */
  readonly shrink?: {
    readonly widthPx: number;
    readonly heightPx: number;
    /** Defaults to the outer kernel; `area` is the mean of the covered area. */
    readonly kernel?: ScalingKernel | 'area';
    /** 1 to 100. */
    readonly quality: number;
  };
}

/**
 * An image for recognizers: upright by EXIF, without metadata, sRGB, white behind transparency. Each form is decoded
 * on demand and kept while the photo is open; none is larger than the image.
 */
export interface Photo {
  readonly type: ImageType;
  /** The width of the upright image. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Grey pixels of one byte, scaled so that the longer side has at most this many pixels. */
  grey(maxSidePx: number): Promise<Pixels>;
  /** RGB pixels of three bytes. */
  rgb(scaling: Scaling): Promise<Pixels>;
  /** The photo as a JPEG without metadata. */
  jpeg(maxSidePx: number): Promise<Uint8Array>;
}
