import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, SIZES, startBrowser } from '../support/chromium.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const PASSWORD = 'eggs and toast';
const FIELD = 'Search foods, barcode or text';

describe.skipIf(noBrowser !== undefined).each(SIZES)('the page of a fresh service, on %s', (_, viewport) => {
  let service: ServiceProcess;
  let browser: Browser;
  let page: Page;
  /** What a developer would see as red lines, and addresses that are not the service's. */
  const faults: string[] = [];

  beforeAll(async () => {
    service = await startServiceProcess({ LARDER_THREADS: '1' });
    browser = await startBrowser();
    page = await browser.newPage({ viewport, locale: 'en-US' });
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== service.url) faults.push(request.url());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const meal = (name: string) => page.getByRole('region', { name, exact: true });
  const energy = () => page.getByRole('status', { name: 'Energy' }).textContent();
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  test('the link of the first start makes the owner', async () => {
    const link = readFileSync(join(service.dataDir, 'owner-link.txt'), 'utf8').trim().split('#')[1]!;
    await page.goto(`${service.url}/welcome#${link}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Ann');
    await page.getByLabel('Password').fill(PASSWORD);
    await button('Create account').click();
    await meal('Breakfast').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('a found food is added with an amount, deleted, and comes back', async () => {
    await button('Add to breakfast').click();
    await page.getByRole('combobox', { name: FIELD }).fill('banana');
    await page
      .getByRole('option', { name: /^Banana/ })
      .first()
      .click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('200');
    await page.getByRole('combobox', { name: 'Unit' }).selectOption('g');
    await page.getByRole('textbox', { name: 'Amount' }).fill('200');
    await button('Add').click();
    const entry = meal('Breakfast').getByRole('listitem');
    await entry.waitFor();
    await expect.poll(() => entry.textContent()).toMatch(/^Banana200 g194 kcal/);
    await expect.poll(energy).toMatch(/^194 kcal/);
    await entry.getByRole('button').first().click();
    await button('Delete').click();
    await entry.waitFor({ state: 'detached' });
    await button('Undo').click();
    await entry.waitFor();
    await expect.poll(energy).toMatch(/^194 kcal/);
  });

  test('a sentence is shown as foods to confirm, with what was not understood', async () => {
    await button('Add to lunch').click();
    await page.getByRole('combobox', { name: FIELD }).fill('2 eggs, 200 g rice and a xyzzy');
    await page.getByText('Not understood: “xyzzy”').waitFor();
    await button('Add 2 foods').click();
    await expect.poll(() => meal('Lunch').getByRole('listitem').count()).toBe(2);
  });

  test('what was eaten before takes one tap', async () => {
    await button('Add to snacks').click();
    await page
      .getByRole('region', { name: 'Recent' })
      .getByRole('button', { name: /^Banana/ })
      .click();
    await expect.poll(() => meal('Snacks').getByRole('listitem').count()).toBe(1);
  });

  test('a goal shows what is left of it', async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('textbox', { name: 'Energy' }).fill('2000');
    await button('Save').click();
    await page.getByText('Saved').waitFor();
    await page.getByRole('link', { name: 'Today' }).click();
    await expect.poll(energy).toMatch(/^[\d,]+ \/ 2,000 kcal [\d,]+ kcal left$/);
    await page.getByRole('link', { name: 'Trends' }).click();
    await page.getByRole('img').first().waitFor();
  });

  test('nothing failed on the way, and no other host was asked', () => {
    expect(faults).toEqual([]);
  });

  test('signing out and in again keeps the diary', async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await button('Sign out').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('ann');
    await page.getByLabel('Password').fill(PASSWORD);
    await button('Sign in').click();
    await page.getByRole('link', { name: 'Today' }).click();
    await meal('Snacks').getByRole('listitem').waitFor();
    // The service may refuse requests that were sent right before signing out.
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  });
});
