import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, startBrowser } from '../support/chromium.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/** More than any view has to the thing that is meant. */
const MAX_TABS = 60;
const FOCUSED = `(() => {
  const { ariaLabel, labels, textContent } = document.activeElement;
  return ariaLabel ?? labels?.[0]?.textContent ?? textContent;
})()`;

describe.skipIf(noBrowser !== undefined)('with keys alone', () => {
  let service: ServiceProcess;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    service = await startServiceProcess({ LARDER_THREADS: '1' });
    browser = await startBrowser();
    page = await browser.newPage({ locale: 'en-US' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  const focused = () => page.evaluate<string>(FOCUSED);
  const entry = () => page.getByRole('region', { name: 'Breakfast', exact: true }).getByRole('listitem');
  /** What screen readers are told by themselves. */
  const told = () => page.getByRole('log').textContent();

  async function tabTo(name: RegExp): Promise<void> {
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      if (name.test(await focused())) return;
      await press('Tab');
    }
    throw new Error(`The focus never comes to ${name}.`);
  }

  test('an account is made', async () => {
    const link = readFileSync(join(service.dataDir, 'owner-link.txt'), 'utf8').trim().split('#')[1]!;
    await page.goto(`${service.url}/welcome#${link}`);
    await page.getByRole('heading').waitFor();
    await tabTo(/^Name/);
    await page.keyboard.type('Ann');
    await tabTo(/^Password/);
    await page.keyboard.type('eggs and toast');
    await press('Enter');
    await page.getByRole('region', { name: 'Breakfast', exact: true }).waitFor();
  });

  test('a food is added, which is told, and the focus is where it was', async () => {
    await tabTo(/^Add to breakfast$/);
    await press('Enter');
    await expect.poll(focused).toBe('Search foods, barcode or text');
    await page.keyboard.type('banana');
    await page
      .getByRole('option', { name: /^Banana/ })
      .first()
      .waitFor();
    await press('ArrowDown', 'Enter');
    await expect.poll(focused).toMatch(/^Amount/);
    await page.keyboard.type('2');
    await press('Enter');
    await entry().waitFor();
    await expect.poll(told).toMatch(/ added/);
    await expect.poll(focused).toBe('Add to breakfast');
  });

  test('an entry is changed, and the focus comes back to it', async () => {
    await press('Shift+Tab');
    await expect.poll(focused).toMatch(/^Banana/);
    await press('Enter');
    await tabTo(/^Amount/);
    await press('Control+A');
    await page.keyboard.type('3');
    await press('Enter');
    await expect.poll(() => entry().textContent()).toMatch(/^Banana.*3 /);
    await expect.poll(focused).toMatch(/^Banana/);
  });

  test('an entry is deleted, which is told, and comes back', async () => {
    await press('Enter');
    await tabTo(/^Delete$/);
    await press('Enter');
    await entry().waitFor({ state: 'detached' });
    await expect.poll(told).toMatch(/ deleted/);
    await expect.poll(focused).toBe('Add to breakfast');
    await tabTo(/^Undo$/);
    await press('Enter');
    await entry().waitFor();
  });

  test.each([
    { path: '/', opener: /^More for Lunch$/ },
    { path: '/', opener: /^Add to dinner$/ },
    { path: '/', opener: /^Camera for Snacks$/ },
    { path: '/app/foods', opener: /^New food$/ },
    { path: '/console/keys', opener: /^Revoke$/ },
  ])('the dialog of $opener closes by Escape, and the focus is where it was', async ({ path, opener }) => {
    await page.goto(service.url + path);
    await page.getByRole('button', { name: opener }).first().waitFor();
    await tabTo(opener);
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => focused()).not.toMatch(opener);
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(focused).toMatch(opener);
  });
});
