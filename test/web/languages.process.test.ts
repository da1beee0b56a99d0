import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPageService, type PageService } from '../../tools/page/page-service.ts';
import { visitHeaders } from '../../tools/page/visit.ts';
import { LANGUAGE_CODES } from '../../web/src/texts/languages.ts';
import { noBrowser, startBrowser } from '../support/chromium.ts';

const SMALLEST = { width: 320, height: 640 };
const PATHS = ['/', '/app/trends', '/app/recipes', '/app/foods', '/app/settings', '/console'];
const OVERFLOWS = 'document.documentElement.scrollWidth > innerWidth';
/** Buttons and tabs whose words do not fit into them. */
const CUT = `[...document.querySelectorAll('button, nav a, h1, h2, label')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.console nav, .visually-hidden'))
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline')
  .map((each) => each.outerHTML.slice(0, 120))`;
const CHOOSE = `((language) =>
  localStorage.setItem('larder-preferences', JSON.stringify({ language })))`;

describe.skipIf(noBrowser !== undefined)('the page in a language', () => {
  let browser: Browser;
  let service: PageService;
  let page: Page;
  beforeAll(async () => {
    browser = await startBrowser();
    service = await openPageService();
    const diary = `/v1/users/${service.ann}`;
    const date = new Date().toISOString().slice(0, 10);
    const butter = { foodId: 'starter:butter', quantity: 10, unit: 'g' };
    await service.ask('POST', `${diary}/diary`, { date, mealType: 'breakfast', ...butter });
    await service.ask('POST', `${diary}/recipes`, { name: 'Toast', servings: 1, ingredients: [butter] });
    const context = await browser.newContext({
      viewport: SMALLEST,
      locale: 'de-DE',
      timezoneId: 'UTC',
      extraHTTPHeaders: visitHeaders(),
    });
    await service.signIn(context);
    page = await context.newPage();
    await page.goto(service.url);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  /** Shows the page in a language; its requests are those of another address, since one may open 60 pages a minute. */
  const speak = async (language: string) => {
    await page.context().setExtraHTTPHeaders(visitHeaders());
    await page.evaluate(`${CHOOSE}(${JSON.stringify(language)})`);
  };

  test('names the foods of the diary and of recipes in it, those on the device, too', async () => {
    const row = page.locator('.entry-name').first();
    await expect.poll(() => row.textContent()).toBe('Butter');
    for (const [language, name] of [
      ['pl', 'Masło'],
      ['nl', 'Boter'],
    ] as const) {
      await speak(language);
      await page.goto(service.url);
      await expect.poll(() => row.textContent()).toBe(name);
      await page.goto(`${service.url}/app/recipes`);
      await page.getByRole('link', { name: 'Toast' }).first().click();
      await page.locator('.ingredients').getByText(name).waitFor();
      // The copy on this device is complete when the page starts without the service.
      await page.goto(service.url);
      await expect.poll(() => row.textContent()).toBe(name);
    }
  });

  test.each(LANGUAGE_CODES)('fits the smallest phone: %s', async (language) => {
    await speak(language);
    for (const path of PATHS) {
      await page.goto(service.url + path);
      await page.locator('main h1').first().waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      expect(await page.evaluate('document.documentElement.lang')).toBe(language);
      expect([path, await page.evaluate(OVERFLOWS), await page.evaluate(CUT)]).toEqual([path, false, []]);
    }
  });
});
