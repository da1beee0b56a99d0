import sharp from 'sharp';
import { Larder } from '#larder-client';
import { ean13Bars } from '../../test/support/barcode-bars.ts';
import { barcodePicture } from '../../test/support/barcode-picture.ts';
import { SPREAD } from '../../test/support/foods.ts';

export const WIDTH_PX = 4_000;
export const HEIGHT_PX = 3_000;

/** A label in a noisy scene, as from a camera: noise makes the file as large as a real one. */
export async function takePhoto(): Promise<Uint8Array<ArrayBuffer>> {
  const label = await barcodePicture({
    bars: ean13Bars(SPREAD.barcode!),
    modulePx: 9,
    heightPx: 600,
    turnedBy: 8,
  });
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 12 };
  const scene = sharp({
    create: { width: WIDTH_PX, height: HEIGHT_PX, channels: 3, background: '#808080', noise },
  });
  const bytes = await scene
    .composite([{ input: await label.png().toBuffer() }])
    .jpeg({ quality: 88 })
    .toBuffer();
  return new Uint8Array(bytes);
}

/** Creates a scan; the caller uploads the image and measures it. */
export async function createScan(url: string, key: string): Promise<{ jobId: string; uploadUrl: string }> {
  const response = await new Larder({ url, key }).request('/v1/scan/image', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: 'bench', contentType: 'image/jpeg' }),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as { jobId: string; uploadUrl: string };
}

/** The signed URL needs no credential. */
export async function uploadImage(uploadUrl: string, photo: Uint8Array<ArrayBuffer>): Promise<void> {
  const response = await new Larder({ url: '' }).request(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: photo,
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}
