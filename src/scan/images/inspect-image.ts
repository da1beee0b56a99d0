import { MAX_OBJECT_BYTES } from '../../blobs/object-store.ts';
import { isHeic, readHeicHeader } from './heic-header.ts';
import { type HeaderReading, isRefusal, unsupported } from './image-facts.ts';
import { readJpegHeader } from './jpeg-header.ts';
import { PNG_SIGNATURE, readPngHeader } from './png-header.ts';
import { readWebpHeader } from './webp-header.ts';

export const MAX_IMAGE_PIXELS = 50_000_000;
/** Twice the width of the widest phone panoramas. Decoders work by lines, so millions of short lines take seconds. */
const MAX_IMAGE_SIDE_PX = 32_768;

interface Format {
  readonly matches: (bytes: Buffer) => boolean;
  readonly readHeader: (bytes: Buffer) => HeaderReading;
}

const FORMATS: readonly Format[] = [
  { matches: (bytes) => bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xffd8ff, readHeader: readJpegHeader },
  { matches: (bytes) => bytes.subarray(0, 8).equals(PNG_SIGNATURE), readHeader: readPngHeader },
  { matches: isHeic, readHeader: readHeicHeader },
  { matches: (bytes) => isAt(bytes, 0, 'RIFF') && isAt(bytes, 8, 'WEBP'), readHeader: readWebpHeader },
];

/** Formats that clients send but Larder cannot read; the refusal names them. */
const FOREIGN: readonly (readonly [name: string, matches: (bytes: Buffer) => boolean])[] = [
  ['a GIF', (bytes) => isAt(bytes, 0, 'GIF8')],
  ['an AVIF', (bytes) => isAt(bytes, 4, 'ftypavi')],
  ['a TIFF', (bytes) => isAt(bytes, 0, 'II*\0') || isAt(bytes, 0, 'MM\0*')],
  ['a BMP', (bytes) => isAt(bytes, 0, 'BM')],
  ['a PDF', (bytes) => isAt(bytes, 0, '%PDF')],
];

/**
 * Determines an upload's real type from its bytes and whether it may be decoded: a still image within the limits.
 * Reads only headers, in time linear in the bytes, whatever size they announce. Other damage shows when it is
 * decoded.
 */
export function inspectImage(bytes: Buffer): HeaderReading {
  if (bytes.length > MAX_OBJECT_BYTES) {
    return { code: 'image_too_large', message: `The image is larger than ${MAX_OBJECT_BYTES} bytes.` };
  }
  const format = FORMATS.find(({ matches }) => matches(bytes));
  if (format === undefined) {
    const [name = 'no image that is known here'] = FOREIGN.find(([, matches]) => matches(bytes)) ?? [];
    return unsupported(`This is ${name}`);
  }
  const reading = format.readHeader(bytes);
  if (isRefusal(reading)) return reading;
  const { widthPx, heightPx } = reading;
  const has = `The image has ${widthPx} x ${heightPx} pixels, more than`;
  if (widthPx * heightPx > MAX_IMAGE_PIXELS) {
    return { code: 'image_too_large', message: `${has} ${MAX_IMAGE_PIXELS} in all.` };
  }
  if (Math.max(widthPx, heightPx) > MAX_IMAGE_SIDE_PX) {
    return { code: 'image_too_large', message: `${has} ${MAX_IMAGE_SIDE_PX} on a side.` };
  }
  return reading;
}

function isAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}
