import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type PlacedCode, photoOfCodes } from '../support/written-code.ts';
import { fakeVideo } from './support/fake-video.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

const CODE = '4006381333931';

describe.skipIf(noBrowser !== undefined).each(SIZES)('the camera, on %s', (_, viewport) => {
  const folder = tempFolder();
  let open: OpenPage;

  beforeAll(async () => {
    const picture = await barcodePicture({ bars: ean13Bars(CODE), modulePx: 6, heightPx: 200 });
    open = await openPage({ context: { viewport }, args: await fakeVideo(folder.path, picture) });
  });
  afterAll(async () => {
    await open?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test('tells of a barcode that no food has, and makes it a food', async () => {
    const { page, button, entries } = open;
    await button('Add to lunch').click();
    await button('Camera').click();
    await page.getByText(`No food has the barcode ${CODE}.`).waitFor();
    await button('Create this food').click();
    await expect.poll(() => page.getByLabel('Barcode').inputValue()).toBe(CODE);
    await page.getByLabel('Name', { exact: true }).fill('Crackers');
    await page.getByRole('textbox', { name: 'Energy' }).fill('430');
    await button('Save').click();
    await button('Add').click();
    await expect.poll(() => entries('Lunch').first().textContent()).toMatch(/^Crackers/);
  });

  test('reads a barcode: two taps from the day to the entry', async () => {
    const { page, button, entries, taps } = open;
    await taps();
    await button('Camera for Dinner').click();
    await page.getByRole('heading', { name: 'Crackers' }).waitFor();
    await button('Add').click();
    await expect.poll(() => entries('Dinner').first().textContent()).toMatch(/^Crackers/);
    expect(await taps()).toBe(2);
  });

  test('gives its picture again after the page was hidden, and lets go of it when it is closed', async () => {
    const { page, button } = open;
    await askAs(page, 'DELETE', `/v1/foods/${await foodId()}`);
    await button('Camera for Snacks').click();
    await page.getByText(`No food has the barcode ${CODE}.`).waitFor();
    const trackState = () =>
      page.evaluate<string>(`(() => {
      globalThis.track ??= document.querySelector('video').srcObject.getVideoTracks()[0];
      return track.readyState;
    })()`);
    await expect.poll(() => trackState()).toBe('live');
    await page.evaluate(`(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    })()`);
    await expect.poll(() => trackState()).toBe('ended');
    await page.evaluate(`(() => {
      delete document.visibilityState;
      document.dispatchEvent(new Event('visibilitychange'));
    })()`);
    await expect
      .poll(() =>
        page.evaluate<string>(`document.querySelector('video').srcObject?.getVideoTracks()[0].readyState`),
      )
      .toBe('live');
    await page.evaluate(`globalThis.track = document.querySelector('video').srcObject.getVideoTracks()[0]`);
    await button('Close').click();
    await expect.poll(trackState).toBe('ended');
  });

  test('takes a photo, which is scanned', async () => {
    const { page, button } = open;
    await button('Camera for Snacks').click();
    await button('Take a photo').click();
    await page.getByText(`No food has the barcode ${CODE}.`).waitFor();
    await page.getByRole('img', { name: 'Your photo' }).waitFor();
    await button('Close').click();
  });

  test('without permission or HTTPS gives a way out', async () => {
    const { page, button } = open;
    await page.evaluate(
      `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotAllowedError'); }`,
    );
    await button('Camera for Snacks').click();
    await page.getByRole('alert').filter({ hasText: 'camera is not allowed' }).waitFor();
    await page.getByLabel('Take a photo instead').waitFor();
    await button('Close').click();
    await page.evaluate(`Object.defineProperty(navigator, 'mediaDevices', { value: undefined })`);
    await button('Camera for Snacks').click();
    await page.getByRole('alert').filter({ hasText: 'HTTPS' }).waitFor();
    await button('Close').click();
  });

  test('nothing failed on the way, and no other host was asked', () => {
    // An unknown barcode is an answer, though browsers log it.
    expect(open.faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  });

  async function foodId(): Promise<string> {
    const food = (await askAs(open.page, 'GET', `/v1/foods/barcode/${CODE}`)) as { id: string };
    return food.id;
  }
});

describe.skipIf(noBrowser !== undefined)('the camera before other codes', () => {
  const ean: PlacedCode = { format: 'EAN13', content: '4006381333931', y: 0.35 };
  const other: PlacedCode = { format: 'EAN13', content: '5449000000996', y: 0.55 };
  const outside: PlacedCode = { ...other, y: 0.9 };
  const food = { macros: { energy: 430 }, servingSize: { value: 100, unit: 'g' } };

  /** Opens the camera before these codes, with a food for each number. */
  async function before(codes: readonly PlacedCode[], act: (open: OpenPage) => Promise<void>): Promise<void> {
    using folder = tempFolder();
    const [, viewport] = SIZES[0];
    const args = await fakeVideo(folder.path, sharp(await photoOfCodes(...codes)));
    await using open = await openPage({ context: { viewport }, args });
    for (const [name, barcode] of [
      ['Crackers', ean.content],
      ['Lemonade', other.content],
    ])
      await askAs(open.page, 'POST', '/v1/foods', { ...food, name, barcode });
    await open.button('Camera for Lunch').click();
    await act(open);
    expect(open.faults).toEqual([]);
  }

  test('lets choose between the foods of several', async () => {
    await before([ean, other], async ({ page, button, entries }) => {
      await page.getByText('Several barcodes are in the picture.').waitFor();
      await button('Crackers').waitFor();
      await button('Lemonade').click();
      await page.getByRole('heading', { name: 'Lemonade' }).waitFor();
      await button('Add').click();
      await expect.poll(() => entries('Lunch').first().textContent()).toMatch(/^Lemonade/);
    });
  });

  test('takes the one that is held into the frame', async () => {
    await before([ean, outside], async ({ page }) => {
      await page.getByRole('heading', { name: 'Crackers' }).waitFor();
    });
  });

  test('reads light bars on dark ground', async () => {
    await before([{ ...ean, scale: 5, isLightOnDark: true }], async ({ page }) => {
      await page.getByRole('heading', { name: 'Crackers' }).waitFor();
    });
  });

  test('reads the code of a case, whose food is the unit inside', async () => {
    await before([{ format: 'ITF14', content: '14006381333938', y: 0.45 }], async ({ page }) => {
      await page.getByRole('heading', { name: 'Crackers' }).waitFor();
    });
  });
});
