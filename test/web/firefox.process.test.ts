import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noFirefox, startFirefox } from '../support/firefox.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const FIELD = 'Search foods, barcode or text';

describe.skipIf(noFirefox !== undefined)('the page in Firefox', () => {
  let service: ServiceProcess;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    service = await startServiceProcess({ LARDER_THREADS: '1' });
    browser = await startFirefox();
    page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'en-US' });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const entries = (meal: string) =>
    page.getByRole('region', { name: meal, exact: true }).getByRole('listitem');
  const find = (text: string) => page.getByRole('combobox', { name: FIELD }).fill(text);

  test('makes the owner by the link of the first start', async () => {
    const link = readFileSync(join(service.dataDir, 'owner-link.txt'), 'utf8').trim().split('#')[1]!;
    await page.goto(`${service.url}/welcome#${link}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Ann');
    await page.getByLabel('Password').fill('eggs and toast');
    await button('Create account').click();
    await page.getByRole('region', { name: 'Breakfast', exact: true }).waitFor();
  });

  test('adds a food by its name, and undoes it', async () => {
    await button('Add to breakfast').click();
    await find('banana');
    await page
      .getByRole('option', { name: /^Banana/ })
      .first()
      .click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('200');
    await page.getByRole('combobox', { name: 'Unit' }).selectOption('g');
    await button('Add').click();
    await expect.poll(() => entries('Breakfast').count()).toBe(1);
    await button('Undo').click();
    await expect.poll(() => entries('Breakfast').count()).toBe(0);
  });

  test('adds what a sentence names', async () => {
    await button('Add to lunch').click();
    await find('2 eggs and 200 g rice');
    await button('Add 2 foods').click();
    await expect.poll(() => entries('Lunch').count()).toBe(2);
  });

  test('nothing failed on the way', () => {
    expect(faults).toEqual([]);
  });

  test('shows the day without the service, and keeps what is added', async () => {
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    service.child.kill('SIGTERM');
    await once(service.child, 'close');
    await page.reload();
    await expect.poll(() => entries('Lunch').count()).toBe(2);
    await button('Add to dinner').click();
    await page.getByRole('region', { name: 'Recent' }).getByRole('button', { name: /^Egg/ }).click();
    await entries('Dinner').getByText('not sent yet').waitFor();
  });
});
