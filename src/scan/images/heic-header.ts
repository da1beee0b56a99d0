import { type HeaderReading, type ImageFacts, unreadable, unsupported } from './image-facts.ts';

const BOX_HEADER_BYTES = 8;
const FULL_BOX_BYTES = 4;
/** Phone photos have about ten boxes in a row, and one property for each kind of tile. */
const MAX_BOXES = 1_024;
/** A photo of 48 megapixels has about 200 tiles, twice as many with a depth map or an HDR gain map. */
const MAX_ITEMS = 2_048;
const STILL_BRANDS = ['heic', 'heix', 'heim', 'heis'];
const SEQUENCE_BRANDS = ['hevc', 'hevx', 'hevm', 'hevs', 'msf1'];

interface Box {
  readonly type: string;
  readonly data: Buffer;
}

/** Checks for a HEIF file with an HEVC brand (ISO/IEC 23008-12, annex B). */
export function isHeic(bytes: Buffer): boolean {
  return brandsOf(bytes).some((brand) => STILL_BRANDS.includes(brand) || SEQUENCE_BRANDS.includes(brand));
}

/**
 * Finds the largest image of the file by the sizes that its properties state: tiles, thumbnails and the photo itself.
 * Reads the boxes `meta`, `iinf` and `iprp/ipco/ispe` (ISO/IEC 23008-12, 6.5.3) and no pixels.
 */
export function readHeicHeader(bytes: Buffer): HeaderReading {
  if (SEQUENCE_BRANDS.includes(brandsOf(bytes)[0]!)) return unsupported('Image sequences are not read');
  const meta = boxesOf(bytes)?.find(({ type }) => type === 'meta');
  const parts = meta && boxesOf(meta.data.subarray(FULL_BOX_BYTES));
  if (parts === undefined) return unreadable('it breaks off');
  if (numberOfItems(parts) > MAX_ITEMS) {
    return { code: 'image_too_large', message: `The image has more than ${MAX_ITEMS} tiles.` };
  }
  const iprp = parts.find(({ type }) => type === 'iprp');
  const ipco = iprp && boxesOf(iprp.data)?.find(({ type }) => type === 'ipco');
  const properties = ipco && boxesOf(ipco.data);
  if (properties === undefined) return unreadable('it has no pixels');
  const sizes = properties.filter(({ type, data }) => type === 'ispe' && data.length >= 12).map(toFacts);
  const [largest] = sizes.sort((a, b) => b.widthPx * b.heightPx - a.widthPx * a.heightPx);
  if (largest === undefined || largest.widthPx === 0 || largest.heightPx === 0)
    return unreadable('it has no size');
  return largest;
}

/** The major brand, then the compatible brands. */
function brandsOf(bytes: Buffer): string[] {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return [];
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, MAX_BOXES);
  const brands = [];
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12) brands.push(bytes.toString('latin1', at, at + 4));
  return brands;
}

function numberOfItems(parts: readonly Box[]): number {
  const items = parts.find(({ type }) => type === 'iinf')?.data;
  if (items === undefined || items.length < FULL_BOX_BYTES + 4) return 0;
  return items[0] === 0 ? items.readUInt16BE(FULL_BOX_BYTES) : items.readUInt32BE(FULL_BOX_BYTES);
}

function toFacts({ data }: Box): ImageFacts {
  return { type: 'image/heic', widthPx: data.readUInt32BE(4), heightPx: data.readUInt32BE(8) };
}

/** The boxes in `bytes`; undefined if one is cut off or there are too many. */
function boxesOf(bytes: Buffer): Box[] | undefined {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + BOX_HEADER_BYTES > bytes.length || boxes.length === MAX_BOXES) return undefined;
    const stated = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    // Size 0 means to the end. Size 1 means that 64 bits follow, which only files beyond the size limit need.
    const size = stated === 0 ? bytes.length - at : stated;
    if (size < BOX_HEADER_BYTES || at + size > bytes.length) return undefined;
    boxes.push({ type, data: bytes.subarray(at + BOX_HEADER_BYTES, at + size) });
    at += size;
  }
  return boxes;
}
