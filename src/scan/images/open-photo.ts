// Loaded with the process: `npm ci` may replace the package while that runs.
// @ts-expect-error: the package has no types for this file
import bundle from 'libheif-js/wasm-bundle.js';
import sharp, { type Sharp } from 'sharp';
import type { ScanFailure } from '../scan-job.ts';
import type { Box } from '../scan-result.ts';
import { areaMean } from './area-mean.ts';
import { type ImageFacts, unreadable } from './image-facts.ts';
import { MAX_IMAGE_PIXELS } from './inspect-image.ts';
import { PART_SIDE_PX, type Photo, type Pixels, type Scaling } from './photo.ts';

/** The functions of libheif that Larder calls; see `libheif.h` of libheif 1.23. */
interface LibHeif {
  heif_context_alloc(): object;
  heif_context_free(context: object): void;
  heif_context_read_from_memory(
    context: object,
    bytes: Uint8Array,
  ): { readonly code: { readonly value: number } };
  /** Returns an error object with a `code` if there is no such image. */
  heif_js_context_get_primary_image_handle(context: object): object;
  heif_image_handle_release(handle: object): void;
  /** Returns an object without channels if the pixels cannot be decoded. */
  heif_js_decode_image2(handle: object, colorspace: unknown, chroma: unknown): DecodedImage;
  heif_image_release(image: object): void;
  readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
  readonly heif_chroma: { readonly heif_chroma_interleaved_RGB: unknown };
}

interface DecodedImage {
  readonly image?: object;
  readonly channels?: readonly {
    readonly width: number;
    readonly height: number;
    /** Bytes from the start of one line to the next. */
    readonly stride: number;
    readonly data: Uint8Array;
  }[];
}

const heif: LibHeif = bundle;
const RGB_BYTES = 3;

/**
 * Decodes the primary image of a HEIC file to upright lines of RGB. Throws if it cannot be decoded. Blocks the thread
 * for about half a second per 10 megapixels, so only a process that may be killed calls it.
 */
async function decodeHeic(bytes: Uint8Array): Promise<Pixels> {
  const context = heif.heif_context_alloc();
  try {
    const { code } = heif.heif_context_read_from_memory(context, bytes);
    if (code.value !== 0) throw new Error(`libheif refused the file with code ${code.value}`);
    const handle = heif.heif_js_context_get_primary_image_handle(context);
    if ('code' in handle) throw new Error('libheif found no image');
    try {
      return decodeImage(heif, handle);
    } finally {
      // The handle keeps the whole file in memory.
      heif.heif_image_handle_release(handle);
    }
  } finally {
    heif.heif_context_free(context);
  }
}

function decodeImage(heif: LibHeif, handle: object): Pixels {
  const { heif_colorspace_RGB } = heif.heif_colorspace;
  const { heif_chroma_interleaved_RGB } = heif.heif_chroma;
  const { image, channels } = heif.heif_js_decode_image2(
    handle,
    heif_colorspace_RGB,
    heif_chroma_interleaved_RGB,
  );
  const pixels = channels?.[0];
  if (image === undefined || pixels === undefined) throw new Error('libheif decoded no pixels');
  try {
    const { width, height, stride, data } = pixels;
    const lineBytes = width * RGB_BYTES;
    const lines = new Uint8Array(lineBytes * height);
    for (let y = 0; y < height; y++)
      lines.set(data.subarray(y * stride, y * stride + lineBytes), y * lineBytes);
    return { widthPx: width, heightPx: height, data: lines };
  } finally {
    heif.heif_image_release(image);
  }
}

/** Sufficient for vision models, at a quarter of the bytes of the best quality. */
const JPEG_QUALITY = 82;
/** The slowest and best; about a millisecond for such small images. */
const WEBP_EFFORT = 6;
/** Maximum ratio of sides for an area mean, which limits its time and memory. */
const AREA_SIDES = 4;
const WHITE = '#ffffff';
const SHARP_OPTIONS = { failOn: 'error', limitInputPixels: MAX_IMAGE_PIXELS } as const;

/** The image is damaged. Only decoding shows that, so any form of a photo may throw this. */
export class UnreadableImage extends Error {
  override readonly name = 'UnreadableImage';
  readonly failure: ScanFailure;

  constructor(what: string, options?: ErrorOptions) {
    const refusal = unreadable(what);
    super(refusal.message, options);
    this.failure = { ...refusal, retryable: false };
  }
}

/**
 * Limits decoding memory to the current images: libvips then caches neither images nor files, and works in the
 * calling thread. Call it once in each process, because all threads share libvips.
 */
export function boundImageDecoding(): void {
  sharp.cache(false);
  sharp.concurrency(1);
}

/** A photo that measures its decoding time. */
export class OpenPhoto implements Photo {
  readonly type: ImageFacts['type'];
  readonly #image: Sharp;
  readonly #nowMs: () => number;
  /** Keeps failures too, because another attempt would also fail. */
  readonly #kept = new Map<string, Promise<unknown>>();
  #widthPx = 0;
  #heightPx = 0;
  #decodeMs = 0;

  private constructor(image: Sharp, { type }: ImageFacts, nowMs: () => number) {
    this.type = type;
    this.#image = image;
    this.#nowMs = nowMs;
  }

  /** Opens a photo with a header accepted by `inspectImage`. Throws an `UnreadableImage`. */
  static async open(bytes: Uint8Array, facts: ImageFacts, nowMs: () => number): Promise<OpenPhoto> {
    const startedAtMs = nowMs();
    const image = facts.type === 'image/heic' ? await sharpOfHeic(bytes) : sharp(bytes, SHARP_OPTIONS);
    const photo = new OpenPhoto(image, facts, nowMs);
    photo.#decodeMs = nowMs() - startedAtMs;
    const { autoOrient } = await photo.#decoded(image.metadata());
    photo.#widthPx = autoOrient.width;
    photo.#heightPx = autoOrient.height;
    return photo;
  }

  get widthPx(): number {
    return this.#widthPx;
  }

  get heightPx(): number {
    return this.#heightPx;
  }

  /** Decoding time so far. */
  get decodeMs(): number {
    return this.#decodeMs;
  }

  grey(maxSidePx: number): Promise<Pixels> {
    return this.#keep(`grey ${maxSidePx}`, () => this.#pixels(this.#within(maxSidePx).toColourspace('b-w')));
  }

  rgb(scaling: Scaling): Promise<Pixels> {
    return this.#keep(`rgb ${JSON.stringify(scaling)}`, async () => {
      const image = await this.#shrunk(scaling);
      return this.#pixels(resized(image, scaling).toColourspace('srgb'));
    });
  }

  jpeg(maxSidePx: number): Promise<Uint8Array> {
    return this.#keep(`jpeg ${maxSidePx}`, () =>
      this.#decoded(this.#within(maxSidePx).jpeg({ quality: JPEG_QUALITY }).toBuffer()),
    );
  }

  /** Applies `part` and `shrink`, the latter unless that would not make the photo smaller. */
  async #shrunk({ shrink, part, ...scaling }: Scaling): Promise<Sharp> {
    const source = part === undefined ? this.#whole() : await this.#cut(part);
    const { image } = source;
    if (shrink === undefined || source.widthPx <= shrink.widthPx || source.heightPx <= shrink.heightPx)
      return image;
    const { quality, kernel = scaling.kernel, ...size } = shrink;
    const small =
      kernel === 'area'
        ? await this.#areaMean(source, { ...scaling, ...size })
        : resized(image, { ...scaling, ...size, ...(kernel && { kernel }) });
    return sharp(await this.#decoded(small.webp({ quality, effort: WEBP_EFFORT }).toBuffer()));
  }

  /** A photo more than AREA_SIDES times as large is scaled to that first. */
  async #areaMean(source: Source, scaling: Scaling): Promise<Sharp> {
    const { widthPx, heightPx, fit } = scaling;
    const isCover = fit === 'cover';
    // With these sides `cover` cuts out the middle without scaling.
    const middleWidthPx = isCover ? Math.round((source.heightPx * widthPx) / heightPx) : source.widthPx;
    const middleHeightPx = isCover ? Math.round((source.widthPx * heightPx) / widthPx) : source.heightPx;
    const large = resized(source.image, {
      ...scaling,
      widthPx: Math.min(source.widthPx, middleWidthPx, widthPx * AREA_SIDES),
      heightPx: Math.min(source.heightPx, middleHeightPx, heightPx * AREA_SIDES),
    });
    const { data } = areaMean(await this.#pixels(large.toColourspace('srgb')), widthPx, heightPx);
    return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } });
  }

  #whole(): Source {
    return { image: this.#upright(), widthPx: this.#widthPx, heightPx: this.#heightPx };
  }

  /** A part of at least one pixel. */
  async #cut({ left, top, width, height }: Box): Promise<Source> {
    const { data, ...side } = await this.#keep('parts', () =>
      this.#pixels(this.#within(PART_SIDE_PX).toColourspace('srgb')),
    );
    const [x, widthPx] = stretch(left, width, side.widthPx);
    const [y, heightPx] = stretch(top, height, side.heightPx);
    const image = sharp(data, { raw: { width: side.widthPx, height: side.heightPx, channels: 3 } }).extract({
      left: x,
      top: y,
      width: widthPx,
      height: heightPx,
    });
    return { image, widthPx, heightPx };
  }

  #within(sidePx: number): Sharp {
    return this.#upright().resize({ width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true });
  }

  #upright(): Sharp {
    return this.#image.clone().autoOrient().flatten({ background: WHITE });
  }

  #keep<T>(form: string, decode: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(form) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const made = decode();
    this.#kept.set(form, made);
    return made;
  }

  async #pixels(image: Sharp): Promise<Pixels> {
    const raw = image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
    const { data, info } = await this.#decoded(raw);
    return { widthPx: info.width, heightPx: info.height, data };
  }

  async #decoded<T>(work: Promise<T>): Promise<T> {
    const startedAtMs = this.#nowMs();
    try {
      return await work;
    } catch (cause) {
      throw new UnreadableImage('its pixels cannot be decoded', { cause });
    } finally {
      this.#decodeMs += this.#nowMs() - startedAtMs;
    }
  }
}

/** An image that is scaled, or the part of one, with its size. */
interface Source {
  readonly image: Sharp;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The first pixel and the number of pixels of a fraction of a side. */
function stretch(from: number, share: number, sidePx: number): readonly [number, number] {
  const first = Math.min(sidePx - 1, Math.round(from * sidePx));
  return [first, Math.max(1, Math.min(sidePx, Math.round((from + share) * sidePx)) - first)];
}

/** libvips has no HEVC decoder. */
async function sharpOfHeic(bytes: Uint8Array): Promise<Sharp> {
  try {
    const { data, widthPx: width, heightPx: height } = await decodeHeic(bytes);
    return sharp(data, { ...SHARP_OPTIONS, raw: { width, height, channels: 3 } });
  } catch (cause) {
    throw new UnreadableImage('its pixels cannot be decoded', { cause });
  }
}

function resized(image: Sharp, { widthPx, heightPx, fit, kernel = 'lanczos3' }: Scaling): Sharp {
  return image.resize({ width: widthPx, height: heightPx, fit: fit === 'squash' ? 'fill' : 'cover', kernel });
}
