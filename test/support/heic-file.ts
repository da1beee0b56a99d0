import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PHOTOS = join(import.meta.dirname, 'photos');

/** A square of 64 pixels, red on the left and blue on the right; written by libheif 1.15. */
export const halvesHeic = () => readFileSync(join(PHOTOS, 'halves.heic'));
/** The barcode 3017620422003; written by libheif 1.15. */
export const barcodeHeic = () => readFileSync(join(PHOTOS, 'barcode.heic'));
/** Makes the same file turned by its property `irot`, without EXIF. */
export const turnedHeic = () => gridHeic(1, barcodeHeic(), [528, 240]);

/** A box of ISO/IEC 14496-12: size, type, data. */
export function box(type: string, ...data: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(data);
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content]);
}

export const u8 = (...values: number[]) => Buffer.from(values);
export const u16 = (...values: number[]) => Buffer.concat(values.map((value) => u8(value >> 8, value & 255)));
export const u32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => u16(Math.floor(value / 65_536), value & 65_535)));
export const size = (widthPx: number, heightPx: number) => box('ispe', u32(0, widthPx, heightPx));

/** Only the properties and the count of items, which are read before decoding. */
export function heicHeader({
  brand = 'heic',
  properties = [size(64, 64)],
  items = 1,
}: {
  brand?: string;
  properties?: readonly Buffer[];
  items?: number;
} = {}): Buffer {
  const iprp = box('iprp', box('ipco', ...properties));
  return Buffer.concat([fileType(brand), box('meta', u32(0), box('iinf', u32(0), u16(items, 0)), iprp)]);
}

function fileType(brand: string): Buffer {
  return box('ftyp', Buffer.from(brand), u32(0), Buffer.from(`mif1${brand}`));
}

/** Tiles in a row, turned by a quarter counterclockwise, in the form that phones write. */
export function gridHeic(
  columns: number,
  tile = halvesHeic(),
  [width, height]: readonly [number, number] = [64, 64],
): Buffer {
  const hvcC = boxAt(tile, 'hvcC');
  const pixels = boxAt(tile, 'mdat').subarray(8);
  const ids = Array.from({ length: columns }, (_, index) => index + 2);
  const entry = (id: number, type: string) =>
    box('infe', u8(2, 0, 0, 0), u16(id, 0), Buffer.from(type, 'latin1'), u8(0));
  const location = (id: number, method: number, offset: number, length: number) =>
    Buffer.concat([u16(id, method, 0, 1), u32(offset, length)]);
  const grid = Buffer.concat([u8(0, 0, 0, columns - 1), u16(width * columns, height)]);
  const meta = (pixelsAt: number) =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), Buffer.from('pict'), u32(0, 0, 0), u8(0)),
      box('pitm', u32(0), u16(1)),
      box('iinf', u32(0), u16(columns + 1), entry(1, 'grid'), ...ids.map((id) => entry(id, 'hvc1'))),
      box('iref', u32(0), box('dimg', u16(1, columns, ...ids))),
      box(
        'iprp',
        box('ipco', hvcC, size(width, height), size(width * columns, height), box('irot', u8(1))),
        box(
          'ipma',
          u32(0, columns + 1),
          u16(1),
          u8(2, 3, 0x84),
          ...ids.map((id) => Buffer.concat([u16(id), u8(2, 0x81, 2)])),
        ),
      ),
      box('idat', grid),
      box(
        'iloc',
        u8(1, 0, 0, 0),
        u8(0x44, 0x00),
        u16(columns + 1),
        location(1, 1, 0, grid.length),
        ...ids.map((id) => location(id, 0, pixelsAt, pixels.length)),
      ),
    );
  const start = fileType('heic');
  const pixelsAt = start.length + meta(0).length + 8;
  return Buffer.concat([start, meta(pixelsAt), box('mdat', pixels)]);
}

function boxAt(bytes: Buffer, type: string): Buffer {
  const at = bytes.indexOf(type, 'latin1') - 4;
  return bytes.subarray(at, at + bytes.readUInt32BE(at));
}
