import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

const WIDTH_PX = 1280;
const HEIGHT_PX = 720;
const FRAMES = 10;
const GREY = 128;

/**
 * Writes a film of a still picture for Chromium's fake camera, in the form of uncompressed YUV4MPEG2. Returns the arguments that
 * give it to Chromium and allow it to every page.
 */
export async function fakeVideo(folder: string, picture: Sharp): Promise<readonly string[]> {
  const background = { r: GREY, g: GREY, b: GREY };
  const brightness = await sharp(await picture.png().toBuffer())
    .resize({ width: WIDTH_PX, height: HEIGHT_PX, fit: 'contain', background })
    .removeAlpha()
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const colours = Buffer.alloc((WIDTH_PX * HEIGHT_PX) / 2, GREY);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), brightness, colours]);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH_PX} H${HEIGHT_PX} F10:1 Ip A1:1 C420jpeg\n`);
  const file = join(folder, 'camera.y4m');
  writeFileSync(file, Buffer.concat([head, ...Array.from({ length: FRAMES }, () => frame)]));
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ];
}
