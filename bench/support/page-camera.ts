import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { ean13Bars } from '../../test/support/barcode-bars.ts';
import { barcodePicture } from '../../test/support/barcode-picture.ts';
import type { PageService } from '../../tools/page/page-service.ts';
import { openPath, SIZES, visitHeaders } from '../../tools/page/visit.ts';

const CODE = '5449000000996';
const FRAMES_PER_SECOND = 15;
/** The code appears after the reader was loaded, and for long enough to be read. */
const [EMPTY_S, SHOWN_S] = [6, 3];
const [WIDTH_PX, HEIGHT_PX] = [1280, 720];
const GREY = { r: 128, g: 128, b: 128 };

/** Notes when the paper of the code is first in the picture, and when its number is asked for. */
const WATCH = `(() => {
  globalThis.shownAt = undefined;
  performance.clearResourceTimings();
  const video = document.querySelector('video');
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const look = (now) => {
    // A point of the paper above the bars.
    const [x, y] = [video.videoWidth / 2, video.videoHeight * 0.27];
    context.drawImage(video, x, y, 2, 2, 0, 0, 1, 1);
    if (context.getImageData(0, 0, 1, 1).data[0] > 200) globalThis.shownAt = now;
    else video.requestVideoFrameCallback(look);
  };
  video.requestVideoFrameCallback(look);
})()`;
const PASSED = `(() => {
  const asked = performance.getEntriesByType('resource').find(({ name }) => name.includes('/foods/barcode'));
  return asked === undefined || globalThis.shownAt === undefined ? -1 : asked.startTime - globalThis.shownAt;
})()`;

interface CameraOptions {
  readonly service: PageService;
  readonly executablePath: string;
  readonly runs: number;
  /** How many times slower than here the page's thread is, one series for each. */
  readonly slower: readonly number[];
}

/** Prints the time from the first picture with a code in it to the request for its food, on a slow phone. */
export async function measureCamera({ service, executablePath, runs, slower }: CameraOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-camera-'));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...(await film(folder))] });
  console.log(`\n| barcode before the camera to its number, median of ${runs} | ms | most |\n|---|---|---|`);
  for (const rate of slower) {
    const context = await browser.newContext({
      viewport: SIZES.phone,
      locale: 'en-US',
      extraHTTPHeaders: visitHeaders(),
    });
    await service.signIn(context);
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    const ms: number[] = [];
    while (ms.length < runs) {
      await client.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      await openPath(page, service.url, '/');
      await page.getByRole('button', { name: 'Camera for Breakfast' }).click();
      await page.locator('video').waitFor();
      await client.send('Emulation.setCPUThrottlingRate', { rate });
      await page.evaluate(WATCH);
      page.setDefaultTimeout(60_000);
      await page.getByText(`No food has the barcode ${CODE}.`).waitFor();
      const passed = await page.evaluate<number>(PASSED);
      // Otherwise the code was in the picture before it was watched.
      if (passed > 0) ms.push(passed);
    }
    ms.sort((a, b) => a - b);
    console.log(
      `| processor ${rate} times slower | ${Math.round(ms[runs >> 1]!)} | ${Math.round(ms.at(-1)!)} |`,
    );
    await context.close();
  }
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** Writes a film in which a code appears, and returns the arguments that make it Chromium's camera. */
async function film(folder: string): Promise<readonly string[]> {
  const size = { width: WIDTH_PX, height: HEIGHT_PX };
  const label = await barcodePicture({
    bars: ean13Bars(CODE),
    modulePx: 4,
    heightPx: 200,
    background: GREY.r,
  });
  const shown = sharp(await label.png().toBuffer()).resize({ ...size, fit: 'contain', background: GREY });
  const empty = sharp({ create: { ...size, channels: 3, background: GREY } });
  const colours = Buffer.alloc((WIDTH_PX * HEIGHT_PX) / 2, GREY.r);
  const file = join(folder, 'camera.y4m');
  writeFileSync(file, `YUV4MPEG2 W${WIDTH_PX} H${HEIGHT_PX} F${FRAMES_PER_SECOND}:1 Ip A1:1 C420jpeg\n`);
  for (const [picture, seconds] of [
    [empty, EMPTY_S],
    [shown, SHOWN_S],
  ] as const) {
    const brightness = await picture.removeAlpha().toColourspace('b-w').raw().toBuffer();
    const frame = Buffer.concat([Buffer.from('FRAME\n'), brightness, colours]);
    for (let count = seconds * FRAMES_PER_SECOND; count > 0; count--) appendFileSync(file, frame);
  }
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ];
}
