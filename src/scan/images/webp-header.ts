import { type HeaderReading, type ImageFacts, isRefusal, unreadable, unsupported } from './image-facts.ts';

const FIRST_CHUNK_AT = 12;
const CHUNK_HEADER_BYTES = 8;
const LOSSY_START_CODE = 0x2a019d;
const LOSSLESS_SIGNATURE = 0x2f;
const ANIMATION_FLAG = 0x02;
const SIDE_14_BITS = 0x3fff;
/** The format's own chunks occur once each; decoders skip unknown ones. */
const MAX_CHUNKS = 256;

/** Reads the chunks of a RIFF file (RFC 9649, 2.3 to 2.7): one image, optionally after an extended header. */
export function readWebpHeader(bytes: Buffer): HeaderReading {
  if (bytes.length < FIRST_CHUNK_AT + CHUNK_HEADER_BYTES) return unreadable('it breaks off');
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return unreadable('it breaks off');
  let canvas: ImageFacts | undefined;
  let chunks = 0;
  for (let at = FIRST_CHUNK_AT; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    if (++chunks > MAX_CHUNKS) {
      return { code: 'image_too_large', message: `The image has more than ${MAX_CHUNKS} chunks.` };
    }
    const type = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + CHUNK_HEADER_BYTES, at + CHUNK_HEADER_BYTES + size);
    if (data.length < size) return unreadable('it breaks off');
    if (type === 'ANIM' || type === 'ANMF') return unsupported('Animated images are not read');
    if (type === 'VP8 ' || type === 'VP8L') {
      return onCanvas(type === 'VP8L' ? readLossless(data) : readLossy(data), canvas);
    }
    if (type === 'VP8X') {
      const extended = readExtended(data);
      if (isRefusal(extended)) return extended;
      canvas = extended;
    }
    at += CHUNK_HEADER_BYTES + size + (size % 2);
  }
  return unreadable('it has no pixels');
}

/** A small canvas must not hide a large image. */
function onCanvas(image: HeaderReading, canvas: ImageFacts | undefined): HeaderReading {
  if (canvas === undefined || isRefusal(image)) return image;
  const isSame = canvas.widthPx === image.widthPx && canvas.heightPx === image.heightPx;
  return isSame ? image : unreadable('its sizes contradict each other');
}

/** RFC 6386, 9.1: frame tag, start code, sides of 14 bits below their scaling. */
function readLossy(data: Buffer): HeaderReading {
  if (data.length < 10) return unreadable('it breaks off');
  const isKeyFrame = (data[0]! & 1) === 0;
  if (!isKeyFrame || data.readUIntLE(3, 3) !== LOSSY_START_CODE) return unreadable('its header is damaged');
  return toFacts(data.readUInt16LE(6) & SIDE_14_BITS, data.readUInt16LE(8) & SIDE_14_BITS);
}

/** RFC 9649, 3.4: signature, sides of 14 bits less one, alpha, version. */
function readLossless(data: Buffer): HeaderReading {
  if (data.length < 5) return unreadable('it breaks off');
  const bits = data.readUInt32LE(1);
  if (data[0] !== LOSSLESS_SIGNATURE || bits >>> 29 !== 0) return unreadable('its header is damaged');
  return toFacts((bits & SIDE_14_BITS) + 1, ((bits >>> 14) & SIDE_14_BITS) + 1);
}

/** RFC 9649, 2.7: flags, sides of the canvas of 24 bits less one. */
function readExtended(data: Buffer): HeaderReading {
  if (data.length < 10) return unreadable('it breaks off');
  if ((data[0]! & ANIMATION_FLAG) !== 0) return unsupported('Animated images are not read');
  return toFacts(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1);
}

function toFacts(widthPx: number, heightPx: number): HeaderReading {
  if (widthPx === 0 || heightPx === 0) return unreadable('it has no size');
  return { type: 'image/webp', widthPx, heightPx };
}
