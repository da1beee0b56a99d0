import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPageService, type PageService } from '../../tools/page/page-service.ts';
import { noBrowser, SIZES, startBrowser } from '../support/chromium.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { jsonl, NEW_SCHEMA, OLD_SCHEMA } from '../support/off-products.ts';

const EXPORT = jsonl(
  { ...OLD_SCHEMA, countries_tags: ['en:germany'] },
  { ...NEW_SCHEMA, countries_tags: ['en:spain'] },
);

describe.skipIf(noBrowser !== undefined).each(SIZES)('products of shops, on %s', (_, viewport) => {
  let exports: LocalServer;
  let service: PageService;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    exports = await startLocalServer((_request, response) => response.end(EXPORT));
    service = await openPageService({ LARDER_OFF_EXPORT_URL: `${exports.base}/products.jsonl` });
    browser = await startBrowser();
    const context = await browser.newContext({ viewport, locale: 'de-DE' });
    await service.signIn(context);
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
    await exports?.[Symbol.asyncDispose]();
  });

  test('an owner whose search finds nothing brings those of the own country', async () => {
    await page.goto(service.url);
    await page.getByRole('button', { name: 'Zum Mittagessen hinzufügen' }).click();
    await page.getByRole('combobox', { name: 'Lebensmittel, Strichcode oder Text' }).fill('4006381333931');
    const card = page.getByRole('region', { name: 'Produkte aus Läden' });
    await card.getByText('ein Teil der 1,5 GB').waitFor();
    await card.getByRole('button', { name: 'Deutschland weglassen' }).waitFor();
    await card.getByLabel('Land hinzufügen').selectOption({ label: 'Österreich' });
    await card.getByLabel('Angaben zu Lebensmitteln behalten').uncheck();
    await card.getByRole('button', { name: 'Open Food Facts importieren' }).click();
    await expect
      .poll(async () => service.ask<object[]>('GET', '/v1/operator/imports'), {
        timeout: 60_000,
      })
      .toMatchObject([
        {
          slice: { countries: ['de', 'at'] },
          facts: 'none',
          status: 'completed',
          report: { read: 2, kept: 1 },
        },
      ]);
  });

  test('the console takes the countries of an import and what it keeps, too', async () => {
    await page.goto(`${service.url}/console/imports`);
    await page.getByRole('button', { name: 'Deutschland weglassen' }).click();
    await page.getByText('Alle Produkte der Welt').waitFor();
    await page.getByLabel('Land hinzufügen').selectOption({ label: 'Spanien' });
    await page.getByRole('button', { name: 'Import starten' }).click();
    const last = async () => (await service.ask<object[]>('GET', '/v1/operator/imports'))[0];
    await expect
      // Each question counts to the limit of requests, which the page shares.
      .poll(last, { timeout: 60_000, interval: 500 })
      .toMatchObject({ slice: { countries: ['es'] }, status: 'completed', report: { kept: 1 } });
    // Facts are kept unless the tick is taken away.
    expect(await last()).not.toHaveProperty('facts');
    await page.getByRole('radio', { name: /^FoodData Central/ }).check();
    await expect.poll(() => page.getByLabel('Land hinzufügen').count()).toBe(0);
  });
});
