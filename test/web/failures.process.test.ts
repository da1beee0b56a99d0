import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPageService, type PageService } from '../../tools/page/page-service.ts';
import { addSampleData } from '../../tools/page/sample-data.ts';
import { noBrowser, startBrowser } from '../support/chromium.ts';

/** The client would wait so long by itself; a person is told at once. */
const RETRY_AFTER_S = '50';

/** Views, and a text of each that is only there once it was read. */
const VIEWS = [
  { path: '/', text: /yogurt|bread|milk/i },
  { path: '/app/trends', text: 'on average' },
  { path: '/app/recipes', text: 'Lentil soup' },
  { path: '/app/foods', text: 'Grandma’s granola' },
  { path: '/app/settings', text: 'this device' },
  { path: '/console', text: 'Everything works.' },
  { path: '/console/foods', text: 'In use' },
  { path: '/console/imports', text: 'Start import' },
  { path: '/console/scans', text: 'Queue' },
  { path: '/console/keys', text: 'New key' },
  { path: '/console/webhooks', text: 'No app has a webhook.' },
  { path: '/console/people', text: 'this device' },
  { path: '/console/backup', text: 'Download backup' },
];

describe.skipIf(noBrowser !== undefined)('a view whose requests are refused', () => {
  let service: PageService;
  let browser: Browser;
  beforeAll(async () => {
    service = await openPageService();
    await addSampleData(service);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const open = async (): Promise<Page> => {
    const context = await browser.newContext({ locale: 'en-US', serviceWorkers: 'block' });
    await service.signIn(context);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    return page;
  };
  const retry = (page: Page) => page.getByRole('button', { name: 'Try again', exact: true });

  test.each(VIEWS)('$path says so, is not busy, and is read by "Try again"', async ({ path, text }) => {
    const page = await open();
    await page.route(/\/v1\/(?!session$)/, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': RETRY_AFTER_S },
        json: {
          error: { code: 'rate_limit_exceeded', message: 'Too many requests.', details: { retryAfter: 50 } },
        },
      }),
    );
    await page.goto(service.url + path);
    await page.getByRole('alert').filter({ hasText: 'Too many requests.' }).first().waitFor();
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    // Parts that appear after others ask later, and each of them is refused.
    await page.waitForLoadState('networkidle');
    await page.unrouteAll();
    for (let left = await retry(page).count(); left > 0; left--) {
      await retry(page).first().click();
      await expect.poll(() => retry(page).count()).toBeLessThan(left);
    }
    await page.getByText(text).first().waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.context().close();
  });

  test('a view whose code cannot be loaded offers to try again', async () => {
    const page = await open();
    await page.route(/\/assets\/trends-page/, (route) => route.abort());
    await page.goto(service.url);
    await page.getByRole('link', { name: 'Trends' }).click();
    await page.getByRole('alert').waitFor();
    await page.unrouteAll();
    await retry(page).click();
    await page.getByText('on average').first().waitFor();
    await page.context().close();
  });
});
