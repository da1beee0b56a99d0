import sharp, { type Sharp } from 'sharp';
import type { ImageType } from '../../src/scan/scan-job.ts';
import { jpegSegment } from './image-bytes.ts';

interface PhotoFile {
  readonly name: string;
  readonly type: ImageType;
  readonly bytes: Buffer;
}

/** Adobe's segment of JPEGs with four channels ends with the transform: 0 for CMYK, 2 for YCCK. */
const ADOBE = 0xee;
const YCCK = 2;

/** Writes one picture as each kind of file that phones, editors and shops write. */
export async function photoFiles(picture: Sharp): Promise<PhotoFile[]> {
  const png = await picture.png().toBuffer();
  const { width, height } = await sharp(png).metadata();
  const from = () => sharp(png);
  const clear = await from().ensureAlpha(0.9).png().toBuffer();
  const cmyk = await from().toColourspace('cmyk').jpeg().toBuffer();
  const blank = await from().linear(0, 120).toColourspace('srgb').raw().toBuffer();
  const shown = await from().toColourspace('srgb').removeAlpha().raw().toBuffer();
  const film = sharp(Buffer.concat([shown, blank.subarray(0, shown.length)]), {
    raw: { width, height: 2 * height, channels: 3, pageHeight: height },
  });
  const files: readonly (readonly [name: string, type: ImageType, bytes: Buffer | Promise<Buffer>])[] = [
    ['progressive JPEG', 'image/jpeg', from().jpeg({ progressive: true }).toBuffer()],
    ['grey JPEG', 'image/jpeg', from().toColourspace('b-w').jpeg().toBuffer()],
    // All programs invert the channels, with Adobe's segment and without.
    ['CMYK JPEG', 'image/jpeg', cmyk],
    ['CMYK JPEG without a segment of Adobe', 'image/jpeg', withAdobe(cmyk, undefined)],
    ['YCCK JPEG', 'image/jpeg', withAdobe(cmyk, YCCK)],
    ['16-bit PNG', 'image/png', from().toColourspace('rgb16').png().toBuffer()],
    ['16-bit grey PNG', 'image/png', from().toColourspace('grey16').png().toBuffer()],
    ['palette PNG', 'image/png', from().png({ palette: true, colours: 16 }).toBuffer()],
    ['palette PNG with transparency', 'image/png', sharp(clear).png({ palette: true }).toBuffer()],
    ['1-bit PNG', 'image/png', from().threshold(128).png({ palette: true, colours: 2 }).toBuffer()],
    ['grey PNG with transparency', 'image/png', sharp(clear).toColourspace('b-w').png().toBuffer()],
    ['interlaced PNG', 'image/png', from().png({ progressive: true }).toBuffer()],
    ['lossless WebP', 'image/webp', from().webp({ lossless: true }).toBuffer()],
    ['animated WebP, the first frame', 'image/webp', film.webp({ loop: 0, delay: [100, 100] }).toBuffer()],
  ];
  const turned = [1, 2, 3, 4, 5, 6, 7, 8].map(async (orientation) => {
    const stored = sharp(await storedAs(png, orientation)).withMetadata({ orientation });
    return { name: `JPEG with orientation ${orientation}`, bytes: await stored.jpeg().toBuffer() };
  });
  return [
    ...(await Promise.all(files.map(async ([name, type, bytes]) => ({ name, type, bytes: await bytes })))),
    ...(await Promise.all(turned)).map((file) => ({ ...file, type: 'image/jpeg' as const })),
  ];
}

/** The pixels that are stored with an EXIF orientation so that the picture is upright (EXIF 2.32, tag 274). */
async function storedAs(picture: Buffer, orientation: number): Promise<Buffer> {
  const quarters = [0, 0, 180, 180, 270, 270, 90, 90][orientation - 1]!;
  const turned = await sharp(picture).rotate(quarters).png().toBuffer();
  const isMirrored = [2, 4, 5, 7].includes(orientation);
  if (!isMirrored) return turned;
  return orientation < 5 ? sharp(turned).flop().png().toBuffer() : sharp(turned).flip().png().toBuffer();
}

/** The JPEG with another transform in Adobe's segment, or without that segment. */
function withAdobe(jpeg: Buffer, transform: typeof YCCK | undefined): Buffer {
  const at = jpeg.indexOf(Buffer.from([0xff, ADOBE]));
  const end = at + 2 + jpeg.readUInt16BE(at + 2);
  const data = Buffer.from(jpeg.subarray(at + 4, end));
  if (transform === undefined) return Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(end)]);
  data[data.length - 1] = transform;
  return Buffer.concat([jpeg.subarray(0, at), jpegSegment(ADOBE, data), jpeg.subarray(end)]);
}
