import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barcodeHeic, box, gridHeic, halvesHeic, heicHeader, size } from '../../../test/support/heic-file.ts';
import { runs } from '../../../test/support/runs.ts';
import { inspectImage } from './inspect-image.ts';
import { OpenPhoto, UnreadableImage } from './open-photo.ts';

const open = (bytes: Buffer) =>
  OpenPhoto.open(bytes, { type: 'image/heic', widthPx: 1, heightPx: 1 }, () => 0);

async function pixels(bytes: Buffer) {
  const { widthPx, heightPx, data } = await (await open(bytes)).rgb({
    widthPx: 64,
    heightPx: 64,
    fit: 'squash',
  });
  return (x: number, y: number) => {
    expect({ widthPx, heightPx }).toEqual({ widthPx: 64, heightPx: 64 });
    const [red, , blue] = data.subarray((y * 64 + x) * 3);
    return red! > 200 ? 'red' : blue! > 200 ? 'blue' : 'neither';
  };
}

describe('a HEIC photo', () => {
  it('is recognized by its bytes, with the size of its largest image', () => {
    expect(inspectImage(halvesHeic())).toEqual({ type: 'image/heic', widthPx: 64, heightPx: 64 });
    expect(inspectImage(gridHeic(3))).toEqual({ type: 'image/heic', widthPx: 192, heightPx: 64 });
  });

  it('is decoded', async () => {
    const at = await pixels(halvesHeic());
    expect([at(5, 5), at(60, 60)]).toEqual(['red', 'blue']);
  });

  it('stored as tiles, as phones do, is joined and turned upright', async () => {
    const photo = await open(gridHeic(2));
    expect([photo.widthPx, photo.heightPx]).toEqual([64, 128]);
    // Tiles of red, blue, red, blue from the left appear in the same order from the bottom.
    const at = await pixels(gridHeic(2));
    expect([at(30, 60), at(30, 40), at(30, 24), at(30, 4)]).toEqual(['red', 'blue', 'red', 'blue']);
  });

  it('over the size limits is rejected before decoding, wherever the size is stated', () => {
    for (const properties of [
      [size(10_000, 5_001)],
      [size(64, 64), size(40_000, 10)],
      [size(2 ** 31, 2 ** 31)],
    ]) {
      expect(inspectImage(heicHeader({ properties }))).toMatchObject({ code: 'image_too_large' });
    }
    expect(inspectImage(heicHeader({ items: 2_049 }))).toMatchObject({ code: 'image_too_large' });
  });

  it('that is a sequence, empty or truncated is rejected', () => {
    expect(inspectImage(heicHeader({ brand: 'hevc' }))).toMatchObject({ code: 'unsupported_image' });
    for (const bytes of [
      heicHeader({ properties: [] }),
      heicHeader({ properties: [size(0, 64)] }),
      heicHeader({ properties: Array.from({ length: 1_025 }, () => size(1, 1)) }),
      heicHeader().subarray(0, -1),
      box('ftyp', Buffer.from('heic')),
    ]) {
      expect(inspectImage(bytes)).toMatchObject({ code: 'image_unreadable' });
    }
  });

  it('with damaged pixels leaks no memory', async () => {
    const damaged = Buffer.concat([barcodeHeic(), box('free', Buffer.alloc(1024 * 1024))]);
    const pixelsAt = damaged.indexOf('mdat') + 'mdat'.length;
    damaged.fill(0xff, pixelsAt, pixelsAt + 8);
    // @ts-expect-error: the package has no types for this file
    const { default: heif }: { default: { HEAPU8: Uint8Array } } = await import('libheif-js/wasm-bundle.js');
    await expect(open(damaged)).rejects.toThrow(UnreadableImage);
    const before = heif.HEAPU8.length;
    for (let time = 0; time < 40; time++) await open(damaged).catch(() => {});
    expect(heif.HEAPU8.length).toBe(before);
  });

  it('with random damage is decoded or refused, without other failures', async () => {
    const whole = barcodeHeic();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.nat(whole.length),
        async (changes, length) => {
          const bytes = Buffer.from(whole.subarray(0, length % 3 === 0 ? length : whole.length));
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          const reading = inspectImage(bytes);
          if ('code' in reading) return;
          const failure = await open(bytes).then(
            () => undefined,
            (error: unknown) => error,
          );
          if (failure !== undefined) expect(failure).toBeInstanceOf(UnreadableImage);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
