import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { noBrowser, SIZES } from '../support/chromium.ts';
import { writeClassifierFolder } from '../support/classifier-folder.ts';
import { LABEL_LAYOUTS } from '../support/labels/label-layouts.ts';
import { labelSvg } from '../support/labels/label-svg.ts';
import { photograph } from '../support/labels/photograph.ts';
import { drawFacts } from '../support/labels/printed-facts.ts';
import { useTestFonts } from '../support/labels/use-test-fonts.ts';
import { photographReceipt, RECEIPT_SHOTS } from '../support/receipts/receipt-photo.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { askAs, type OpenPage, openPage } from './support/open-page.ts';

const CODE = '4006381333931';

async function barcodePhoto(digits: string) {
  const picture = await barcodePicture({ bars: ean13Bars(digits), modulePx: 4 });
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() };
}

/** A barcode above noise, which no format makes small. */
async function largePhoto(digits: string) {
  const [width, height, noisePx] = [4_400, 3_000, 1_400];
  const code = await barcodePicture({ bars: ean13Bars(digits), modulePx: 12, heightPx: 600 });
  const noise = { raw: { width, height: noisePx, channels: 3 } } as const;
  const picture = sharp({ create: { width, height, channels: 3, background: '#787878' } }).composite([
    { input: randomBytes(width * noisePx * 3), ...noise, left: 0, top: height - noisePx },
    { input: await code.png().toBuffer(), left: 800, top: 200 },
  ]);
  const buffer = await picture.png({ compressionLevel: 1 }).toBuffer();
  return { name: 'large.png', mimeType: 'image/png', buffer };
}

describe.skipIf(noBrowser !== undefined).each(SIZES)('a photo, on %s', (_, viewport) => {
  let open: OpenPage;

  beforeAll(async () => {
    open = await openPage({ context: { viewport } });
    await askAs(open.page, 'POST', '/v1/foods', {
      name: 'Crackers',
      barcode: CODE,
      servingSize: { value: 30, unit: 'g' },
      macros: { energy: 129, protein: 3, fat: 4, carbohydrates: 20 },
    });
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  test('becomes entries of the meal, with the amount that was typed, and is undone', async () => {
    const { page, button, entries } = open;
    await button('Add to lunch').click();
    await page.getByLabel('Choose a photo').setInputFiles(await barcodePhoto(CODE));
    const found = page.getByRole('form', { name: 'On the photo' });
    await found.getByRole('listitem').waitFor();
    await expect.poll(() => found.getByRole('checkbox', { name: 'Add Crackers' }).isChecked()).toBe(true);
    await found.getByRole('textbox', { name: 'Amount, Crackers' }).fill('60');
    await expect.poll(() => found.getByRole('listitem').textContent()).toContain('258 kcal');
    await button('Add 1 food').click();
    await expect.poll(() => entries('Lunch').first().textContent()).toMatch(/Crackers.*60 g.*258 kcal/);
    await button('Undo').click();
    await expect.poll(() => entries('Lunch').count()).toBe(0);
  });

  test('with a large amount asks once, and writes what was confirmed or corrected', async () => {
    const { page, button, entries } = open;
    const add = async (meal: string, amount: string) => {
      await button(`Add to ${meal}`).click();
      await page.getByLabel('Choose a photo').setInputFiles(await barcodePhoto(CODE));
      await page.getByRole('textbox', { name: 'Amount, Crackers' }).fill(amount);
      await button('Add 1 food').click();
    };
    const question = page.getByRole('alert').filter({ hasText: 'Crackers' });
    await add('breakfast', '2000');
    await expect.poll(() => question.textContent()).toMatch(/Crackers: .*2,000 g.*8,600 kcal/);
    await page.getByRole('textbox', { name: 'Amount, Crackers' }).fill('20');
    await expect.poll(() => question.count()).toBe(0);
    await button('Add 1 food').click();
    await expect.poll(() => entries('Breakfast').first().textContent()).toMatch(/Crackers.*20 g.*86 kcal/);
    await button('Undo').click();
    await expect.poll(() => entries('Breakfast').count()).toBe(0);
    await add('snacks', '1800');
    await question.getByRole('button').click();
    await expect.poll(() => entries('Snacks').first().textContent()).toMatch(/Crackers.*1,800 g.*7,740 kcal/);
    await button('Undo').click();
    await expect.poll(() => entries('Snacks').count()).toBe(0);
  });

  test('whose page was closed is offered again, with what was typed', async () => {
    const { page, button, entries } = open;
    await button('Add to dinner').click();
    await page.getByLabel('Choose a photo').setInputFiles(await barcodePhoto(CODE));
    await page.getByRole('textbox', { name: 'Amount, Crackers' }).fill('45');
    await page.reload();
    await button('Go on').click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Amount, Crackers' }).inputValue()).toBe('45');
    await button('Add 1 food').click();
    await expect.poll(() => entries('Dinner').first().textContent()).toMatch(/Crackers.*45 g/);
  });

  test('of a receipt lists what was bought, and adds what was ticked with its amount', async () => {
    const { page, button, entries } = open;
    useTestFonts();
    const rows = [
      '      GREEN GROCERS',
      '',
      'CRACKERS 200G            £3.90',
      '  2 @ £1.95',
      'BIN LINERS               £1.75',
      'TOTAL                    £5.65',
      'VISA                     £5.65',
    ];
    const buffer = await photographReceipt(rows, RECEIPT_SHOTS.tuned[0]!, () => 0.4);
    await button('Add to snacks').click();
    await page
      .getByLabel('Choose a photo')
      .setInputFiles({ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer });
    await button('a receipt').click();
    const receipt = page.getByRole('region', { name: 'On the receipt' });
    const crackers = receipt.getByRole('checkbox', { name: 'Add Crackers' });
    await crackers.waitFor();
    expect(await crackers.isChecked()).toBe(false);
    expect(await receipt.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/Crackers.*CRACKERS 200G.*2 ×.*£3.90/),
      expect.stringMatching(/BIN LINERS.*no food known.*£1.75/),
    ]);
    expect(await button('Choose the amounts of 0 foods').isDisabled()).toBe(true);
    await crackers.check();
    await button('Choose the amount of 1 food').click();
    expect(await entries('Snacks').count()).toBe(0);
    // What was eaten of them before is proposed.
    await page.getByRole('textbox', { name: 'Amount, Crackers' }).fill('30');
    await page.getByRole('button', { name: /^Add 1 food/ }).click();
    await expect.poll(() => entries('Snacks').first().textContent()).toMatch(/Crackers.*30 g.*129 kcal/);
    await button('Undo').click();
    await expect.poll(() => entries('Snacks').count()).toBe(0);
  });

  test('of a label fills the form of an own food', async () => {
    const { page, button, entries } = open;
    const { draw, step, colours, shot } = LABEL_LAYOUTS.find(({ name }) => name === 'US vertical')!;
    useTestFonts();
    const { perServing, servingAmount } = drawFacts(() => 0.4, step);
    const svg = labelSvg(draw(drawFacts(() => 0.4, step)), colours);
    const buffer = await photograph(svg, shot, () => 0.4);
    await button('Add to snacks').click();
    await page
      .getByLabel('Choose a photo')
      .setInputFiles({ name: 'label.jpg', mimeType: 'image/jpeg', buffer });
    await button('Save to my foods').click();
    expect(Number(await page.getByRole('textbox', { name: 'A serving is' }).inputValue())).toBe(
      servingAmount,
    );
    expect(Number(await page.getByRole('textbox', { name: 'Energy' }).inputValue())).toBeCloseTo(
      perServing.kcal,
      0,
    );
    await page.getByLabel('Name', { exact: true }).fill('Granola of the market');
    await button('Save').click();
    await button('Add').click();
    await expect.poll(() => entries('Snacks').first().textContent()).toMatch(/^Granola of the market/);
    expect(servingAmount).toBeGreaterThan(0);
  });

  test('without a food says what to do', async () => {
    const { page, button } = open;
    await button('Add to snacks').click();
    await page.getByLabel('Choose a photo').setInputFiles(await barcodePhoto('5901234123457'));
    await page.getByText('No food has the barcode 5901234123457.').waitFor();
    await button('Close').click();
  });

  test('over the limit of the service is made smaller first', async () => {
    const { page, button, entries } = open;
    const photo = await largePhoto(CODE);
    expect(photo.buffer.length).toBeGreaterThan(10 * 1024 * 1024);
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await button('Add to breakfast').click();
    await page.getByLabel('Choose a photo').setInputFiles(photo);
    const length = Number(await (await sent).headerValue('content-length'));
    expect(length).toBeLessThanOrEqual(10 * 1024 * 1024);
    expect(await (await sent).headerValue('content-type')).toBe('image/jpeg');
    await page.getByRole('checkbox', { name: 'Add Crackers' }).waitFor();
    await button('Add 1 food').click();
    await expect.poll(() => entries('Breakfast').first().textContent()).toMatch(/Crackers/);
  });

  test.each([
    ['is empty', Buffer.alloc(0), 'The file is empty.'],
    ['is large and no image', Buffer.alloc(10 * 1024 * 1024 + 1), 'The photo is too large.'],
  ])('that %s is told, without a way that cannot work', async (_, buffer, words) => {
    const { page, button } = open;
    await button('Add to snacks').click();
    await page
      .getByLabel('Choose a photo')
      .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    expect(await button('Try again').count()).toBe(0);
    await button('Close').click();
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(open.faults).toEqual([]);
  });
});

describe.skipIf(noBrowser !== undefined)('a photo of a dish', () => {
  const folder = tempFolder();
  let open: OpenPage;

  beforeAll(async () => {
    const classes = [
      { label: 'tomato', food: 'tomato', rgb: [1, 0, 0] },
      { label: 'lettuce', food: 'lettuce', rgb: [0, 1, 0] },
      { label: 'not-food', food: '', rgb: [0, 0, 1] },
    ] as const;
    await writeClassifierFolder(folder.path, classes, { plates: true });
    const [, viewport] = SIZES[0];
    open = await openPage({ context: { viewport }, settings: { LARDER_DISH_MODEL: folder.path } });
  });
  afterAll(async () => {
    await open?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test('says that the food was eaten before, with its usual amount, until the settings turn it off', async () => {
    const { page, button, entries } = open;
    const create = { width: 64, height: 64, channels: 3, background: '#b05000' } as const;
    const buffer = await sharp({ create }).png().toBuffer();
    const row = page.getByRole('form', { name: 'On the photo' }).getByRole('listitem');
    const amount = () => row.getByRole('textbox').inputValue();
    const takePhoto = async (meal: string) => {
      await button(`Add to ${meal}`).click();
      const file = { name: 'dish.png', mimeType: 'image/png', buffer };
      await page.getByLabel('Choose a photo').setInputFiles(file);
      await row.waitFor();
    };
    await takePhoto('lunch');
    await expect.poll(amount).toBe('100');
    expect(await row.textContent()).not.toContain('eaten');
    await row.getByRole('textbox').fill('80');
    await button('Add 1 food').click();
    await expect.poll(() => entries('Lunch').count()).toBe(1);

    await takePhoto('dinner');
    await expect.poll(amount).toBe('80');
    expect(await row.textContent()).toContain('You have eaten this 1×');
    await button('Add 1 food').click();
    await expect.poll(() => entries('Dinner').count()).toBe(1);

    await page.getByRole('link', { name: 'Settings' }).click();
    const isOn = page.getByRole('checkbox', { name: 'Foods eaten before come first' });
    await expect.poll(() => isOn.isChecked()).toBe(true);
    await isOn.uncheck();
    // The next photo may come before the choice is kept.
    await expect.poll(() => askAs(page, 'GET', '/v1/users/me/settings')).toMatchObject({ eatenFirst: false });
    await page.getByRole('link', { name: 'Today' }).click();
    await takePhoto('snacks');
    await expect.poll(amount).toBe('100');
    expect(await row.textContent()).not.toContain('eaten');
    expect(open.faults).toEqual([]);
  });

  test('of two foods shows the part of the photo beside each, and one can be left out', async () => {
    const { page, button, entries } = open;
    const side = (width: number, background: string) =>
      sharp({ create: { width, height: 128, channels: 3, background } });
    const tomato = { input: await side(64, '#ff0000').png().toBuffer(), left: 0, top: 0 };
    const buffer = await side(128, '#00ff00').composite([tomato]).png().toBuffer();
    // The dialog of the photo before is open.
    await page.keyboard.press('Escape');
    await button('Add to breakfast').click();
    const file = { name: 'plate.png', mimeType: 'image/png', buffer };
    await page.getByLabel('Choose a photo').setInputFiles(file);
    const rows = page.getByRole('form', { name: 'On the photo' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(2);
    const parts = rows.locator('.photo-crop');
    expect(await parts.count()).toBe(2);
    // A quarter or half is shown as wide as the frame.
    for (const part of await parts.all()) {
      const [frame, picture] = [await part.boundingBox(), await part.locator('img').boundingBox()];
      expect(picture!.width).toBeCloseTo(2 * frame!.width, 0);
    }
    await page.getByRole('checkbox', { name: /^Add Lettuce/ }).uncheck();
    await button('Add 1 food').click();
    await expect.poll(() => entries('Breakfast').allTextContents()).toHaveLength(1);
    expect(await entries('Breakfast').first().textContent()).toMatch(/^.*Tomato/);
  });
});
