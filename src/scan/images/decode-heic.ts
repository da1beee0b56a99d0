// Loaded with the process: `npm ci` may replace the package while that runs.
// @ts-expect-error: the package has no types for this file
import bundle from 'libheif-js/wasm-bundle.js';
import type { Pixels } from './photo.ts';

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
export async function decodeHeic(bytes: Uint8Array): Promise<Pixels> {
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
