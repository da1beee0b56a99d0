import type { ImageType } from '../scan-job.ts';

/** Rows from the top, each `widthPx * channels` bytes. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly data: Uint8Array;
}

/** The interpolation kernel for resizing; shrinking averages over the covered area with it. */
export type ScalingKernel = 'cubic' | 'linear' | 'lanczos3';

/** How an image becomes one of a given size. */
export interface Scaling {
  readonly widthPx: number;
  readonly heightPx: number;
  /** `squash` ignores the proportions, `cover` cuts out the middle. */
  readonly fit: 'squash' | 'cover';
  /** `lanczos3` by default. */
  readonly kernel?: ScalingKernel;
  /** A larger image is scaled to this size and compressed by WebP on the way, for models whose training photos were. */
  readonly shrink?: {
    readonly widthPx: number;
    readonly heightPx: number;
    /** That of the whole by default; `area` takes the mean of the area that a pixel covers. */
    readonly kernel?: ScalingKernel | 'area';
    /** 1 to 100. */
    readonly quality: number;
  };
}

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
  /** Three bytes a pixel. */
  rgb(scaling: Scaling): Promise<Pixels>;
  /** As a JPEG without metadata. */
  jpeg(maxSidePx: number): Promise<Uint8Array>;
}
